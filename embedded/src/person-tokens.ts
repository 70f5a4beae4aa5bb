import { askToken, authRequest, Browser } from '@quayside/embedded-identity/testing/browser'

export interface PersonTokens {
  access_token: string
  refresh_token: string
  id_token: string
  /** The cookies of the sign-in, for what a browser does next. */
  browser: Browser
}

interface Asked {
  scope?: string
  clientId?: string
  redirectUri?: string
}

/** Signs a person in through the pages of the identity server, as a browser does, and gives the tokens. */
export async function signInAsPerson(
  world: { url: string; signInUrl: string; realm: string },
  person: { username: string; password: string },
  { scope = 'openid profile email', clientId = 'quayside-portal-ui', redirectUri = `${world.url}/en/` }: Asked = {},
): Promise<PersonTokens> {
  const issuer = `${world.signInUrl}/realms/${world.realm}`
  const browser = new Browser()
  const request = authRequest(issuer, { client_id: clientId, redirect_uri: redirectUri, scope })
  const page = await browser.follow(request.url, issuer)
  const { url } = await browser.submit({ url: page.url, text: await page.response.text() }, issuer, person)
  const code = new URL(url).searchParams.get('code')
  if (code === null) throw new Error(`${person.username} could not sign in: ${url}`)
  const { status, body } = await askToken(issuer, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: request.verifier,
  })
  if (status !== 200) throw new Error(`${person.username} got no tokens: ${JSON.stringify(body)}`)
  return { access_token: '', refresh_token: '', id_token: '', ...body, browser }
}
