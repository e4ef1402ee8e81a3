/** The style of the inbox: system fonts and the colours of /docs, for light and dark, phones and desktops. */
export const INBOX_STYLE = `
:root{--ground:#fff;--raised:#f5f7f9;--text:#17212b;--soft:#55636f;--line:#d9e0e6;--accent:#0b63a5;--mail:#0b63a5;--sms:#0b6b3a;--notice:#8a5300}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--raised:#1a2229;--text:#e4eaef;--soft:#9dabb7;--line:#2f3b45;--accent:#7cc0f5;
--mail:#7cc0f5;--sms:#6fd39c;--notice:#f0b768}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:1rem 1.25rem 4rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.05rem;line-height:1.4;margin:0}
p{margin:.25rem 0}
a{color:var(--accent)}
a:focus-visible,pre:focus-visible,input:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{padding-bottom:1rem;border-bottom:1px solid var(--line)}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-top:.75rem}
input,button{font:inherit;min-height:2.5rem;padding:.25rem .75rem;border:1px solid var(--soft);border-radius:.4rem;background:var(--ground);color:inherit}
button{border-color:var(--accent);color:var(--accent);cursor:pointer}
article{padding:1.25rem 0;border-bottom:1px solid var(--line)}
.quiet{color:var(--soft);font-size:.9rem}
.channel{display:inline-block;min-width:4rem;padding:.05rem .4rem;margin-right:.25rem;border:1px solid currentColor;border-radius:.3rem;font-size:.8rem;text-align:center}
.mail{color:var(--mail)}.sms{color:var(--sms)}.notice{color:var(--notice)}
pre{background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.75rem .9rem;margin:.5rem 0;white-space:pre-wrap;font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
`;
