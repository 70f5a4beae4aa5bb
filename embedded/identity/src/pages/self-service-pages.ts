import { portalAddress } from './error-page.ts'
import { type Html, html } from './html.ts'
import { complaint, type Page, type PageRealm, realmTitle } from './layout.ts'
import { type FormContext, form, frame, newPasswordFields } from './sign-in-pages.ts'

const back = html`<p class="links"><a href="?">Back to the sign-in</a></p>`

export function forgotPasswordPage(ctx: FormContext, username: string): Page {
  const label = ctx.realm.settings.loginWithEmailAllowed ? 'Username or e-mail' : 'Username'
  return frame(
    ctx,
    'Forgot password',
    html`<h1>Forgot your password?</h1><p class="lead"><bdi>Say who you are, and a link for a new password is mailed to you.</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'reset',
      html`<div><label for="username">${label}</label><input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required dir="auto" autofocus></div><button>Send the link</button>`,
    )}${back}`,
  )
}

/** The same whether or not anybody is called so. */
export function resetAskedPage(ctx: FormContext, hasMailServer: boolean): Page {
  const way = hasMailServer
    ? 'If there is an account of this name with an e-mail address, a mail with a link is on its way to it. It may take a minute, and may lie among unwanted mail.'
    : 'This server sends no mail. If there is an account of this name with an e-mail address, an administrator can now give you a link for a new password.'
  return frame(
    ctx,
    'Forgot password',
    html`<h1>${hasMailServer ? 'Look into your mail' : 'Ask an administrator'}</h1><p class="lead"><bdi>${way}</bdi></p>${back}`,
  )
}

export interface RegistrationFields {
  username: string
  email: string
  firstName: string
  lastName: string
}

const field = (name: keyof RegistrationFields, label: string, value: string, more: Html) =>
  html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" maxlength="255" required ${more}></div>`

export function registrationPage(ctx: FormContext, typed: RegistrationFields, rules: readonly string[]): Page {
  const { registrationEmailAsUsername } = ctx.realm.settings
  return frame(
    ctx,
    'Create an account',
    html`<h1>Create an account</h1><p class="lead"><bdi>for ${realmTitle(ctx.realm)}</bdi></p>${complaint(ctx.error)}${form(
      ctx,
      'register',
      html`${
        registrationEmailAsUsername
          ? undefined
          : field(
              'username',
              'Username',
              typed.username,
              html`autocomplete="username" autocapitalize="none" spellcheck="false" dir="auto"`,
            )
      }${field('email', 'E-mail', typed.email, html`type="email" autocomplete="${registrationEmailAsUsername ? 'username' : 'email'}" dir="ltr"`)}
${field('firstName', 'First name', typed.firstName, html`autocomplete="given-name" dir="auto"`)}
${field('lastName', 'Last name', typed.lastName, html`autocomplete="family-name" dir="auto"`)}
${newPasswordFields(ctx, rules, 'Password')}<button>Create account</button>`,
    )}${back}`,
  )
}

const notice = (text: string) => html`<p class="note good" role="status"><bdi>${text}</bdi></p>`

/** Waits for the link in the mail: it is opened in any browser, and this page goes on by itself no further. */
export function confirmEmailPage(ctx: FormContext, email: string, hasMailServer: boolean, said?: string): Page {
  const way = hasMailServer
    ? html`A mail with a link was sent to <bdi>${email}</bdi>. Open the link, then come back here.`
    : html`The address of this account is <bdi>${email}</bdi>. This server sends no mail: an administrator can give you the link that confirms it.`
  return frame(
    ctx,
    'Confirm e-mail address',
    html`<h1>Confirm your e-mail address</h1><p class="lead"><bdi>${way}</bdi></p>${complaint(ctx.error)}${said ? notice(said) : undefined}${form(
      ctx,
      'verify-email',
      html`<button>Continue</button>`,
    )}${form(ctx, 'verify-email', html`<input type="hidden" name="again" value="yes"><button class="quiet">${hasMailServer ? 'Send the mail again' : 'Make a new link'}</button>`)}`,
  )
}

interface Invitation {
  heading: string
  username: string
  key: string
  formToken: string
}

/** A link is used up by the button alone: mail programs open links to look at them. */
export function actionLinkPage(realm: PageRealm, { heading, username, key, formToken }: Invitation): Page {
  return {
    title: heading,
    realm,
    content: html`<h1>${heading}</h1><p class="lead"><bdi>for <bdi>${username}</bdi> at ${realmTitle(realm)}</bdi></p>
<form method="post"><input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="key" value="${key}"><button autofocus>Continue</button></form>`,
  }
}

export function usedLinkPage(realm: PageRealm, issuer: string): Page {
  return {
    title: 'Link cannot be used',
    realm,
    content: html`<h1>This link cannot be used any more</h1>
<p class="lead"><bdi>It was used already, has ended, or was replaced by something that happened since. Ask for a new one.</bdi></p>
<a class="button" href="${portalAddress(issuer)}">Back to the portal</a>`,
  }
}

export function actionsDonePage(realm: PageRealm, address: string, text: string): Page {
  return {
    title: 'Done',
    realm,
    content: html`<h1>Done</h1><p class="lead"><bdi>${text}</bdi></p><a class="button" href="${address}">Go on to ${realmTitle(realm)}</a>`,
  }
}
