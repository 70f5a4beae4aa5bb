import type { User } from '../directory/users.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { passkeyForm, passkeySetupPage, securityKeyPage, withScript } from '../pages/passkey-pages.ts'
import { type FormContext, otpPage, passwordPage } from '../pages/sign-in-pages.ts'
import { type Ceremony, creationOptions, requestOptions } from '../passkeys/ceremonies.ts'
import { type PasskeyKind, passkeysEnabled } from '../passkeys/policy.ts'

/** The page that asks for a password, or for a passkey where the realm takes them. */
export async function signInPage(ceremony: Ceremony, form: FormContext, username: string): Promise<Page> {
  if (!passkeysEnabled(ceremony.realm.settings)) return passwordPage(form, username)
  const options = await requestOptions(ceremony)
  const button = html`<button class="quiet">Use a passkey</button>`
  return withScript(passwordPage(form, username, passkeyForm(form, { call: 'get', step: 'passkey', options, button })))
}

/** Asks for the second factor that somebody has; who has both kinds chooses. */
export async function secondFactorPage(ceremony: Ceremony, user: User, form: FormContext): Promise<Page> {
  if (!user.has_key) return otpPage(form)
  const options = await requestOptions(ceremony, user)
  if (!user.has_otp) return securityKeyPage(form, options)
  const button = html`<button class="quiet">Use a security key instead</button>`
  return withScript(otpPage(form, passkeyForm(form, { call: 'get', step: 'security-key', options, button })))
}

export async function keySetupPage(ceremony: Ceremony, user: User, kind: PasskeyKind, form: FormContext) {
  return passkeySetupPage(form, kind, await creationOptions(ceremony, user, kind))
}
