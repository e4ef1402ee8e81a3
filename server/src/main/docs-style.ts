/** The style of /docs: system fonts and colours of its own, for light and dark, phones and desktops. */
export const DOCS_STYLE = `
:root{--ground:#fff;--raised:#f5f7f9;--text:#17212b;--soft:#55636f;--line:#d9e0e6;--accent:#0b63a5;--code:#0f3d5e;
--get:#0b6b3a;--post:#0b63a5;--patch:#8a5300;--delete:#a3262a}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--raised:#1a2229;--text:#e4eaef;--soft:#9dabb7;--line:#2f3b45;--accent:#7cc0f5;--code:#b9dcf7;
--get:#6fd39c;--post:#7cc0f5;--patch:#f0b768;--delete:#f59296}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
a{color:var(--accent)}
a:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--ground);padding:.3rem .6rem;z-index:1}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;padding:1rem 1.25rem;border-bottom:1px solid var(--line)}
header p{margin:0}
.name{font-weight:700;font-size:1.25rem;letter-spacing:-.01em}
.version{color:var(--soft);font-size:.9rem}
nav{padding:1rem 1.25rem;border-bottom:1px solid var(--line);font-size:.925rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.25rem 0;color:inherit;text-decoration:none}
nav li a:hover{text-decoration:underline}
nav h2{margin:1rem 0 .25rem;font-size:.8rem;color:var(--soft);text-transform:uppercase;letter-spacing:.05em}
main{padding:1.25rem;max-width:60rem}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.35rem;line-height:1.3;margin:2.5rem 0 .75rem}
h2.group{padding-top:1.5rem;border-top:1px solid var(--line)}
h3{font-size:1.15rem;margin:1.75rem 0 .5rem}
h4{font-size:.95rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}
main p,main li{max-width:44rem}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--code);overflow-wrap:anywhere}
pre{background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.75rem .9rem;overflow-x:auto;margin:.5rem 0}
pre code{overflow-wrap:normal;color:inherit}
pre.long{white-space:pre-wrap}pre.long code{overflow-wrap:anywhere}
.operation{padding-top:.5rem}
.route{margin:.25rem 0 .75rem}
.route code{font-size:1rem}
.method{display:inline-block;min-width:3.9rem;padding:.05rem .35rem;border:1px solid currentColor;border-radius:.3rem;font:600 .72rem/1.5 ui-monospace,Menlo,Consolas,monospace;text-align:center;flex:none}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
table{border-collapse:collapse;width:100%;font-size:.925rem;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;font-size:.82rem}
tbody th{font-weight:400}
.fields th:first-child{width:26%}.fields td:nth-child(2){width:30%;color:var(--soft)}
.codes th:first-child{width:5rem}
small{color:var(--soft);font-size:.82rem}
.example{display:block}
.pattern{font-size:.78rem}
@media (min-width:62rem){
body{display:grid;grid-template:auto 1fr/17rem minmax(0,1fr)}
header{grid-column:1/-1}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border-bottom:0;border-right:1px solid var(--line);min-height:100vh}
main{padding:1.25rem 2.5rem 4rem}
}
@media (max-width:40rem){
.fields thead{display:none}
.fields tr{display:block;padding:.55rem 0;border-bottom:1px solid var(--line)}
.fields th,.fields td,.fields th:first-child,.fields td:nth-child(2){display:block;width:auto;border:0;padding:.1rem 0}
}
`;
