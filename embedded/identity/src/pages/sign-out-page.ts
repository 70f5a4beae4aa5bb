import { portalAddress } from './error-page.ts'
import { html } from './html.ts'
import { type Page, type PageRealm, realmTitle } from './layout.ts'

const forwarded = ['client_id', 'post_logout_redirect_uri', 'state']

/** Asks before signing out when nothing proves that the person asked for it. */
export function signOutPage(realm: PageRealm, token: string, params: URLSearchParams): Page {
  const target = URL.parse(params.get('post_logout_redirect_uri') ?? '')
  const hidden = forwarded.flatMap((name) => {
    const value = params.get(name)
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  return {
    title: 'Sign out',
    realm,
    returnOrigin: target?.origin,
    content: html`<h1><bdi>Sign out?</bdi></h1><p class="lead"><bdi>You will be signed out of every application of ${realmTitle(realm)}.</bdi></p>
<form method="post"><input type="hidden" name="form_token" value="${token}">${hidden}<button>Sign out</button></form>`,
  }
}

export function signedOutPage(realm: PageRealm, issuer: string): Page {
  return {
    title: 'Signed out',
    realm,
    content: html`<h1>You are signed out</h1><p class="lead"><bdi>You can close this window.</bdi></p>
<a class="button" href="${portalAddress(issuer)}">Back to the portal</a>`,
  }
}
