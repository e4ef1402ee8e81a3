/** The style of the pages that need no console: its quiet colours, system fonts, light and dark, phones and desktops. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#fff,#131817);--ground-2:light-dark(#f7f8f8,#191f1e);--line:light-dark(#e1e4e4,#2c3534);--ink:light-dark(#16201f,#e9eeed);--ink-2:light-dark(#4d5a59,#b3bebd);--accent:light-dark(#0b6e69,#4fc4ba);--accent-ink:light-dark(#fff,#06201e);--strong:light-dark(#868f8f,#6c7877);--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:.9375rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1rem;margin:0 0 .75rem}
p{margin:.25rem 0}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{margin-bottom:1.5rem}
section{margin:1rem 0;padding:1.25rem;border:1px solid var(--line);border-radius:8px}
.quiet,dt{color:var(--ink-2);font-size:.875rem}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin-top:1rem}
label{display:grid;gap:.25rem;color:var(--ink-2);font-size:.8125rem}
input,select,button{font:inherit;min-height:2.5rem;padding:.25rem .75rem;border:1px solid var(--strong);border-radius:6px;background:var(--ground);color:var(--ink)}
button{border-color:var(--accent);background:var(--accent);color:var(--accent-ink);font-weight:600;cursor:pointer}
button.plain{background:transparent;color:var(--accent)}
pre{background:var(--ground-2);border:1px solid var(--line);border-radius:6px;padding:.75rem;margin:.5rem 0;white-space:pre-wrap;font:.8125rem/1.5 var(--mono);user-select:all}
code,.digits{font-family:var(--mono);font-size:.875em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0}
dd{margin:0}
.links{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,11rem),1fr));gap:.75rem;padding:0;list-style:none}
.links a{display:block;height:100%;padding:1rem;border:1px solid var(--line);border-radius:8px;color:inherit;text-decoration:none}
.links a:hover{border-color:var(--accent)}
.links b{display:block;color:var(--accent)}
details{border:1px solid var(--line);border-bottom:0}
details:first-of-type{border-radius:8px 8px 0 0}
details:last-of-type{border-bottom:1px solid var(--line);border-radius:0 0 8px 8px}
summary{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.75rem 1rem;cursor:pointer}
summary:hover{background:var(--ground-2)}
summary b{flex:1 1 16rem}
details>div{padding:.5rem 1rem 1rem}
.channel{min-width:3.5rem;padding:0 .4rem;border:1px solid currentColor;border-radius:4px;color:var(--ink-2);font-size:.75rem;text-align:center}
.otp{font:700 1.5rem/1.4 var(--mono);letter-spacing:.1em;user-select:all}
iframe{display:block;width:100%;height:30rem;margin:.5rem 0;border:1px solid var(--line);border-radius:6px}
@media (max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
`;
