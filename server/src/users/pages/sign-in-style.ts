/** The style of the pages on which people sign in: system fonts, light and dark, phones and desktops. */
export const SIGN_IN_STYLE = `
:root{color-scheme:light dark;--ground:#e9eff2;--card:#fff;--ink:#10222c;--quiet:#4d616c;--line:#6b7f8a;--accent:#0a5c78;--on-accent:#fff;--bad:#9b1c1c;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--ground:#0b1317;--card:#142027;--ink:#e8f0f3;--quiet:#a3b5be;--line:#8296a1;--accent:#7cd0ea;--on-accent:#06222d;--bad:#ffb4b4;--bad-soft:#3a1717}}
*{box-sizing:border-box}
body{margin:0;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:1.5rem;background:var(--card);border-radius:.75rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
p,ol{margin:0 0 1rem}
label{display:block;margin:0 0 .25rem;font-weight:600}
.hint{color:var(--quiet);font-size:.9rem;margin:.25rem 0 0}
.field{margin:0 0 1rem}
input{width:100%;min-height:2.75rem;padding:.4rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
button{min-height:2.75rem;padding:.4rem 1.25rem;font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.4rem;background:var(--accent);color:var(--on-accent);cursor:pointer}
a.button{display:inline-block;padding:.6rem 1.25rem;font-weight:600;text-decoration:none;border:1px solid var(--accent);border-radius:.4rem}
p.keep{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
form+form,form+p{margin-top:1.5rem}
ul.passkeys{padding:0;list-style:none}
ul.passkeys form{margin:.25rem 0 1rem}
button.plain{background:transparent;color:var(--accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.bad{padding:.75rem 1rem;margin:0 0 1rem;border-radius:.4rem;background:var(--bad-soft);color:var(--bad)}
.qr{display:block;width:12rem;max-width:100%;margin:0 auto 1rem}
code{font:1rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
ol.codes{columns:2 9rem;padding:0;list-style:none}
@media (forced-colors:active){input,button{border-color:ButtonText}}
`;
