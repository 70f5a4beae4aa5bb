const dark =
  '--page:#0b1116;--panel:#10181f;--raised:#172129;--line:#22303a;--line2:#4f6675;--t1:#e6eef3;--t2:#a3b4bf;--acc:#3bd1b0;--onacc:#04211b;--bad:#ff7070;--badbg:rgba(255,112,112,.13);color-scheme:dark'
const light =
  '--page:#f5f7f8;--panel:#fff;--raised:#f0f4f5;--line:#dde5e9;--line2:#7d909c;--t1:#0f1f28;--t2:#455b68;--acc:#0a7a67;--onacc:#fff;--bad:#c0322f;--badbg:rgba(192,50,47,.08);color-scheme:light'

/** The one style sheet of the sign-in pages: both themes, logical sides only, from 320 px up. */
export const style = `
:root{${dark}}
:root[data-theme=light]{${light}}
*{box-sizing:border-box}
html{block-size:100%;background:var(--page);color:var(--t1)}
body{margin:0;min-block-size:100%;display:flex;flex-direction:column;font:14px/20px Inter,'Inter Variable',system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;-webkit-font-smoothing:antialiased}
header{display:flex;align-items:center;gap:8px;block-size:48px;padding-inline:16px;background:var(--panel);border-block-end:1px solid var(--line);font-weight:600}
header svg{inline-size:20px;block-size:20px;color:var(--acc)}
header bdi{margin-inline-start:12px;padding-inline-start:12px;border-inline-start:1px solid var(--line);font-weight:400;color:var(--t2)}
main{flex:1;display:grid;place-content:center;justify-items:stretch;grid-template-columns:minmax(0,380px);padding:32px 16px 64px}
.card{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:24px}
h1{font-size:18px;line-height:24px;font-weight:600;margin:0 0 4px}
.lead{color:var(--t2);margin:0 0 20px}
form{display:grid;gap:16px;margin:0}
label{display:block;font-size:13px;font-weight:500;margin-block-end:4px}
input:not([type=checkbox]){inline-size:100%;block-size:36px;padding-inline:10px;font:inherit;color:var(--t1);background:var(--page);border:1px solid var(--line2);border-radius:6px}
input[aria-invalid=true]{border-color:var(--bad)}
input.code{font-family:'JetBrains Mono',ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.25em}
form[hidden],.note[hidden]{display:none}
form+form.passkey{margin-block-start:12px;padding-block-start:12px;border-block-start:1px solid var(--line)}
.check{display:flex;align-items:center;gap:8px;font-weight:400;margin:0}
.check input{accent-color:var(--acc);inline-size:16px;block-size:16px;margin:0}
button,.button{display:inline-flex;align-items:center;justify-content:center;inline-size:100%;block-size:36px;padding-inline:16px;font:inherit;font-weight:600;color:var(--onacc);background:var(--acc);border:1px solid transparent;border-radius:6px;cursor:pointer;text-decoration:none}
.quiet{color:var(--t1);background:transparent;border-color:var(--line2)}
form>.or{margin:0;text-align:center;font-size:12px;color:var(--t2)}
button:hover,.button:hover{filter:brightness(1.08)}
:focus-visible{outline:2px solid var(--acc);outline-offset:2px}
.note{display:flex;gap:8px;margin:0 0 16px;padding:8px 12px;border-radius:6px;border:1px solid transparent}
.note svg{flex:none;inline-size:16px;block-size:16px;margin-block-start:2px}
.bad{color:var(--bad);background:var(--badbg);border-color:var(--bad)}
.good{color:var(--acc);background:var(--raised);border-color:var(--acc)}
.note bdi{color:var(--t1)}
.help{margin:4px 0 0;font-size:12px;line-height:16px;color:var(--t2)}
.secret{display:block;padding:10px 12px;margin:8px 0 0;font-family:'JetBrains Mono',ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;overflow-wrap:anywhere;background:var(--page);border:1px solid var(--line);border-radius:6px;direction:ltr;text-align:start}
.qr{display:block;inline-size:200px;block-size:200px;margin:0 auto 12px;background:#fff;border-radius:6px}
.facts{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:12px 0 0;font-size:13px}
.facts dt{color:var(--t2)}.facts dd{margin:0}
.rules,.scopes{margin:4px 0 0;padding-inline-start:18px;font-size:12px;line-height:18px;color:var(--t2)}
.scopes{font-size:14px;line-height:22px;margin:0 0 20px;color:var(--t1)}
.links{display:flex;flex-wrap:wrap;justify-content:space-between;gap:8px 16px;margin:16px 0 0;font-size:13px}
form+form{margin-block-start:12px}
.pair form+form{margin-block-start:0}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:8px}
a{color:var(--acc)}
code{font-family:'JetBrains Mono',ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;color:var(--t2)}
footer{padding:16px;text-align:center;font-size:12px;color:var(--t2)}
@media (max-width:420px){main{place-content:start stretch;grid-template-columns:minmax(0,1fr);padding-block-start:16px}.card{padding:16px}}
@media (forced-colors:active){.card,input,button,.note{border:1px solid}}
`
