import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headersOf, type SecurityHeaders } from '../directory/security-headers.ts'
import { Html, html } from './html.ts'
import { style } from './style.ts'

/** A realm as far as its pages show it and obey it. */
export interface PageRealm {
  name: string
  settings: { displayName?: string; browserSecurityHeaders: SecurityHeaders }
}

export const realmTitle = (realm: PageRealm) => realm.settings.displayName || realm.name

/** Contents of a page; the frame around it is always the same. */
export interface Page {
  title: string
  realm: PageRealm
  content: Html
  /** Another origin that the browser is sent to after a form was accepted. */
  returnOrigin?: string
  /** A script that this page cannot do without. */
  script?: string
}

const anchor = new Html(
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="5" r="2.2"/><path d="M12 7.200V21M8.200 10.500h7.600M3.800 13.500c.5 4.600 3.600 7.500 8.200 7.500s7.700-2.900 8.200-7.500M3.800 13.500l-1.400 2M3.800 13.500l2.200 1.400M20.200 13.500l1.400 2M20.200 13.500l-2.200 1.400"/></svg>',
)

const alertMark = new Html(
  '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true"><path d="M8 1.800 14.700 13.700H1.300zM8 6.200v3.600M8 11.800v.1" stroke-linejoin="round"/></svg>',
)

// The portal remembers theme and direction in this origin's storage; read before the first paint.
const script =
  "try{var r=document.documentElement,t=localStorage.getItem('quayside.theme');if(t&&!r.dataset.theme)r.dataset.theme=t==='app-light'?'light':'dark';if(localStorage.getItem('quayside.direction')==='rtl')r.dir='rtl'}catch{}"

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function cookie(req: IncomingMessage, name: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(req.headers.cookie ?? '')?.[1]
}

/** A line that says what went wrong, read out by screen readers as soon as it appears. */
export const complaint = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<p class="note bad" role="alert">${alertMark}<bdi>${text}</bdi></p>`

/** The same line, to be filled by a script. */
export const hiddenComplaint = html`<p class="note bad" role="alert" data-problem hidden>${alertMark}<bdi></bdi></p>`

/** Writes a whole page for this reader: with their theme and direction. */
export function renderPage(req: IncomingMessage, page: Page): string {
  const theme = cookie(req, 'theme')?.replace(/^app-/, '')
  const root = html`lang="en"${theme === 'dark' || theme === 'light' ? html` data-theme="${theme}"` : undefined}${
    cookie(req, 'direction') === 'rtl' ? html` dir="rtl"` : undefined
  }`
  return html`<!doctype html>
<html ${root}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Quayside</title><link rel="icon" href="data:,"><script>${new Html(script)}</script><style>${new Html(style)}</style></head>
<body><header>${anchor}Quayside<bdi>${realmTitle(page.realm)}</bdi></header><main><div class="card">${page.content}</div></main>${page.script === undefined ? undefined : html`<script>${new Html(page.script)}</script>`}</body></html>`
    .text
}

/** Nothing foreign may load on these pages or receive anything from them; the rest is as the realm says. */
export function pageHeaders(page: Page): Record<string, string | string[]> {
  const targets = ["'self'", ...(page.returnOrigin ? [page.returnOrigin] : [])].join(' ')
  const own = `default-src 'none'; style-src ${sha(style)}; script-src ${[script, page.script ?? ''].filter(Boolean).map(sha).join(' ')}; img-src data:; form-action ${targets}; base-uri 'none'`
  const { 'content-security-policy': asked, ...others } = headersOf(page.realm.settings.browserSecurityHeaders)
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...others,
    // A browser holds to both.
    'content-security-policy': asked === undefined ? own : [own, asked],
  }
}

export function sendPage(req: IncomingMessage, res: ServerResponse, status: number, page: Page): void {
  const text = renderPage(req, page)
  res.writeHead(status, { ...pageHeaders(page), 'content-length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
}
