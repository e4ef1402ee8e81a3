/**
 * The style of the pages on which people sign in: system fonts, light and dark, phones and desktops.
 * Colours, corners and the mark are those of the console (console/src/design/tokens.css).
 */
export const SIGN_IN_STYLE = `
:root{color-scheme:light dark;--ground:#f7f8f8;--card:#fff;--edge:#e1e4e4;--ink:#16201f;--quiet:#4d5a59;--line:#868f8f;--accent:#0b6e69;--on-accent:#fff;--bad:#a8231f;--bad-soft:#fdeae8}
@media (prefers-color-scheme:dark){:root{--ground:#131817;--card:#191f1e;--edge:#2c3534;--ink:#e9eeed;--quiet:#b3bebd;--line:#6c7877;--accent:#4fc4ba;--on-accent:#06201e;--bad:#ff9a92;--bad-soft:#3b1a18}}
*{box-sizing:border-box}
body{margin:0;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
header,main{max-width:26rem;margin:0 auto}
header{padding:1rem 0 1.25rem;color:var(--accent);font-size:1.5rem;font-weight:700}
main{padding:1.5rem;background:var(--card);border:1px solid var(--edge);border-radius:.5rem}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
p,ol{margin:0 0 1rem}
label{display:block;margin:0 0 .25rem;font-weight:600}
.hint{color:var(--quiet);font-size:.9rem;margin:.25rem 0 0}
.field{margin:0 0 1rem}
input{width:100%;min-height:2.75rem;padding:.4rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.375rem}
button{min-height:2.75rem;padding:.4rem 1.25rem;font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on-accent);cursor:pointer}
a.button{display:inline-block;padding:.6rem 1.25rem;font-weight:600;text-decoration:none;border:1px solid var(--accent);border-radius:.375rem}
p.keep{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
form+form,form+p{margin-top:1.5rem}
ul.passkeys{padding:0;list-style:none}
ul.passkeys form{margin:.25rem 0 1rem}
button.plain{background:transparent;color:var(--accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.bad{padding:.75rem 1rem;margin:0 0 1rem;border-radius:.375rem;background:var(--bad-soft);color:var(--bad)}
.qr{display:block;width:12rem;max-width:100%;margin:0 auto 1rem}
code{font:1rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
ol.codes{padding-left:2rem}
ol.codes code{font-size:.9rem;white-space:nowrap}
@media (forced-colors:active){input,button{border-color:ButtonText}}
`;
