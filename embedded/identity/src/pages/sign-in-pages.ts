import { type Html, html } from './html.ts'
import { complaint, type Page, type PageRealm, realmTitle } from './layout.ts'
import { qrCode } from './qr-code.ts'

interface SignInSettings {
  loginWithEmailAllowed: boolean
  rememberMe: boolean
  resetPasswordAllowed: boolean
  registrationAllowed: boolean
  registrationEmailAsUsername: boolean
}

/** A way to sign in elsewhere, by the name that people know it by. */
export interface Offer {
  alias: string
  name: string
}

export interface FormContext {
  realm: PageRealm & { settings: SignInSettings }
  formToken: string
  returnOrigin?: string
  error?: string
  /** Identity providers, beside the password. */
  offers?: readonly Offer[]
}

export const frame = (ctx: FormContext, title: string, content: Html): Page => ({
  title,
  realm: ctx.realm,
  returnOrigin: ctx.returnOrigin,
  content,
})

export const form = (ctx: FormContext, step: string, fields: Html) =>
  html`<form method="post" autocomplete="on"><input type="hidden" name="form_token" value="${ctx.formToken}"><input type="hidden" name="step" value="${step}">${fields}</form>`

const invalid = (ctx: FormContext) => (ctx.error === undefined ? undefined : html` aria-invalid="true"`)

/** Links and no buttons: a browser follows a form to no origin that the page does not name, and a provider may lead on to others. */
const offered = (offers: readonly Offer[]) =>
  offers.length === 0
    ? undefined
    : html`<p class="or"><span>or</span></p>${offers.map(
        ({ alias, name }) =>
          html`<a class="button quiet" href="?provider=${alias}"><bdi>Continue with ${name}</bdi></a>`,
      )}`

export function passwordPage(ctx: FormContext, username: string, passkey?: Html): Page {
  const label = ctx.realm.settings.loginWithEmailAllowed ? 'Username or e-mail' : 'Username'
  const focusPassword = username !== ''
  return frame(
    ctx,
    'Sign in',
    html`<h1>Sign in</h1><p class="lead"><bdi>to ${realmTitle(ctx.realm)}</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'password',
      html`<div><label for="username">${label}</label><input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required dir="auto"${invalid(ctx)}${focusPassword ? undefined : html` autofocus`}></div>
<div><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required dir="ltr"${invalid(ctx)}${focusPassword ? html` autofocus` : undefined}></div>
${ctx.realm.settings.rememberMe ? html`<label class="check"><input type="checkbox" name="remember" value="on">Keep me signed in</label>` : undefined}<button>Sign in</button>${offered(ctx.offers ?? [])}`,
    )}${passkey}${selfService(ctx)}`,
  )
}

function selfService({ realm: { settings } }: FormContext): Html | undefined {
  const { resetPasswordAllowed, registrationAllowed } = settings
  if (!resetPasswordAllowed && !registrationAllowed) return undefined
  return html`<p class="links">${resetPasswordAllowed ? html`<a href="?page=reset">Forgot your password?</a>` : undefined}${
    registrationAllowed ? html`<a href="?page=register">Create an account</a>` : undefined
  }</p>`
}

interface LinkFacts {
  username: string
  provider: string
  ownerIsUnproven: boolean
}

/** Asks for the password of an account here before it is linked to a provider. */
export function linkPage(ctx: FormContext, { username, provider, ownerIsUnproven }: LinkFacts): Page {
  const another = html`<button class="quiet" name="new" value="account" formnovalidate>This is not my account. Create a new one.</button>`
  return frame(
    ctx,
    'Link your account',
    html`<h1>Link your account</h1><p class="lead"><bdi>There is already an account with your e-mail address: ${username}. Enter its password once, and you can sign in to it with ${provider} from then on.</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'link',
      html`<input name="username" value="${username}" autocomplete="username" hidden readonly>
<div><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required dir="ltr" autofocus${invalid(ctx)}></div><button>Link and sign in</button><button class="quiet" name="not" value="now" formnovalidate>Not now</button>${ownerIsUnproven ? another : undefined}`,
    )}`,
  )
}

/** A device keeps the number of digits that it was set up with, whatever the realm says now. */
const mostDigits = 8

export function otpPage(ctx: FormContext, securityKey?: Html): Page {
  return frame(
    ctx,
    'One-time code',
    html`<h1>One-time code</h1><p class="lead"><bdi>Enter the code that your authenticator app shows.</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'otp',
      html`<div><label for="otp">Code</label><input id="otp" class="code" name="otp" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="${mostDigits + 2}" required dir="ltr" autofocus${invalid(ctx)}></div><button>Sign in</button>`,
    )}${securityKey}`,
  )
}

/** A new password, typed twice, with the rules that it has to meet. */
export function newPasswordFields(ctx: FormContext, rules: readonly string[], label: string, focus?: Html): Html {
  return html`<div><label for="password-new">${label}</label><input id="password-new" name="password-new" type="password" autocomplete="new-password" required dir="ltr"${focus}${invalid(ctx)}${rules.length > 0 ? html` aria-describedby="rules"` : undefined}>${
    rules.length > 0
      ? html`<ul class="rules" id="rules">${rules.map((rule) => html`<li><bdi>${rule}</bdi></li>`)}</ul>`
      : undefined
  }</div>
<div><label for="password-confirm">Confirm password</label><input id="password-confirm" name="password-confirm" type="password" autocomplete="new-password" required dir="ltr"${invalid(ctx)}></div>`
}

export function newPasswordPage(ctx: FormContext, username: string, rules: readonly string[], isChosen: boolean): Page {
  const lead = isChosen
    ? 'It counts from now on, and every other sign-in ends.'
    : 'You need to change your password before you go on.'
  return frame(
    ctx,
    'Update password',
    html`<h1>Choose a new password</h1><p class="lead"><bdi>${lead}</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'new-password',
      html`<input name="username" value="${username}" autocomplete="username" hidden readonly>
${newPasswordFields(ctx, rules, 'New password', html` autofocus`)}<button>Save and continue</button>`,
    )}`,
  )
}

interface OtpSetup {
  secret: string
  uri: string
  type: string
  algorithm: string
  digits: number
  period: number
}

export function otpSetupPage(ctx: FormContext, setup: OtpSetup): Page {
  const spaced = setup.secret.replace(/(.{4})(?=.)/g, '$1 ')
  return frame(
    ctx,
    'Set up a second factor',
    html`<h1>Set up a second factor</h1><p class="lead"><bdi>Scan the picture with an authenticator app, or type the key below into it. Then enter the code that it shows.</bdi></p>${complaint(ctx.error)}
${qrCode(setup.uri, 'QR code of the key below')}
<code class="secret">${spaced}</code><p class="help"><a href="${setup.uri}">Open in an authenticator app on this device</a></p>
<dl class="facts"><dt>Type</dt><dd>${setup.type === 'hotp' ? 'Counter based' : 'Time based'}</dd><dt>Algorithm</dt><dd>${setup.algorithm}</dd><dt>Digits</dt><dd>${setup.digits}</dd>${
      setup.type === 'hotp' ? undefined : html`<dt>Interval</dt><dd><bdi>${setup.period} s</bdi></dd>`
    }</dl><br>${form(
      ctx,
      'otp-setup',
      html`<div><label for="otp">Code</label><input id="otp" class="code" name="otp" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="${setup.digits + 2}" required dir="ltr" autofocus${invalid(ctx)}></div>
<div><label for="label">Device name</label><input id="label" name="label" maxlength="60" dir="auto"><p class="help"><bdi>So that you can tell several devices apart.</bdi></p></div><button>Save and continue</button>`,
    )}`,
  )
}

interface ProfileFields {
  /** Undefined where nobody may change it. */
  username: string | undefined
  email: string
  firstName: string
  lastName: string
}

export function profilePage(ctx: FormContext, profile: ProfileFields): Page {
  return frame(
    ctx,
    'Update profile',
    html`<h1>Check your profile</h1><p class="lead"><bdi>Please complete it before you go on.</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'profile',
      html`${
        profile.username === undefined
          ? undefined
          : html`<div><label for="username">Username</label><input id="username" name="username" value="${profile.username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required dir="auto"></div>`
      }<div><label for="email">E-mail</label><input id="email" name="email" type="email" value="${profile.email}" autocomplete="email" maxlength="255" required dir="ltr" autofocus></div>
<div><label for="firstName">First name</label><input id="firstName" name="firstName" value="${profile.firstName}" autocomplete="given-name" maxlength="255" required dir="auto"></div>
<div><label for="lastName">Last name</label><input id="lastName" name="lastName" value="${profile.lastName}" autocomplete="family-name" maxlength="255" required dir="auto"></div><button>Save and continue</button>`,
    )}`,
  )
}

const scopeWords: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  profile: 'See your name and user name',
  email: 'See your e-mail address',
  roles: 'See which roles you have',
  offline_access: 'Act for you when you are not signed in',
}

export function consentPage(ctx: FormContext, clientName: string, scopes: readonly string[]): Page {
  return frame(
    ctx,
    'Grant access',
    html`<h1><bdi>Grant access to ${clientName}</bdi></h1><p class="lead"><bdi>This application asks to:</bdi></p>
<ul class="scopes">${scopes.map((scope) => html`<li><bdi>${scopeWords[scope] ?? scope}</bdi></li>`)}</ul>
<div class="pair"><form method="post"><input type="hidden" name="form_token" value="${ctx.formToken}"><input type="hidden" name="step" value="refuse"><button class="quiet">No</button></form>${form(
      ctx,
      'consent',
      html`<button>Yes</button>`,
    )}</div>`,
  )
}
