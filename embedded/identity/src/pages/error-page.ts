import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { html } from './html.ts'
import { type Page, type PageRealm, pageHeaders, renderPage } from './layout.ts'

/** The portal's own front door: where somebody who is lost here can begin again. */
export const portalAddress = (issuer: string) => `${new URL(issuer).origin}/`

/** Says that a request cannot be answered, and why, with a way back. */
export function errorPage(realm: PageRealm, problem: string, issuer: string, code?: string): Page {
  return {
    title: 'Something is not right',
    realm,
    content: html`<h1>This request cannot be answered</h1><p class="lead"><bdi>${problem}</bdi></p>
${code ? html`<p class="help"><code>${code}</code></p><br>` : undefined}<a class="button" href="${portalAddress(issuer)}">Back to the portal</a>`,
  }
}

/** The sign-in page was left open too long, was used already, or belongs to another browser. */
export function expiredPage(realm: PageRealm, issuer: string): Page {
  return {
    title: 'Page has expired',
    realm,
    content: html`<h1>This page has expired</h1>
<p class="lead"><bdi>The sign-in was left open for too long or was finished in another window. Nothing is lost: start it again.</bdi></p>
<a class="button" href="${portalAddress(issuer)}">Start again</a>`,
  }
}

const sentences: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'Invalid parameter: redirect_uri',
  invalid_client: 'Client not found.',
}

/** Errors of the protocol engine that cannot be told to an application because none could be trusted. */
export function renderErrorPage(ctx: KoaContextWithOIDC, realm: PageRealm, out: ErrorOut, issuer: string): void {
  const page =
    out.error_description === 'authorization request has expired' ||
    /interaction session|session principal/.test(out.error_description ?? '')
      ? expiredPage(realm, issuer)
      : errorPage(
          realm,
          sentences[out.error] ?? out.error_description ?? 'The request could not be understood.',
          issuer,
          out.error,
        )
  for (const [name, value] of Object.entries(pageHeaders(page))) ctx.set(name, value)
  ctx.body = renderPage(ctx.req, page)
}
