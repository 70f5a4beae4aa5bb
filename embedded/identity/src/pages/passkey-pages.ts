import { passkeyScript } from '../passkeys/script.ts'
import { type Html, html } from './html.ts'
import { complaint, hiddenComplaint, type Page } from './layout.ts'
import { type FormContext, frame } from './sign-in-pages.ts'

interface PasskeyForm {
  /** Call of the browser: make a key, or use one. */
  call: 'create' | 'get'
  step: string
  /** Parameters of the call. */
  options: object
  button: Html
  fields?: Html
}

/** Form that the script sends when the device has answered. Without the script there is nothing to show. */
export function passkeyForm(ctx: FormContext, { call, step, options, button, fields }: PasskeyForm): Html {
  return html`<form method="post" class="passkey" data-passkey="${call}" data-options="${JSON.stringify(options)}"${call === 'get' ? html` hidden` : undefined}>${hiddenComplaint}<input type="hidden" name="form_token" value="${ctx.formToken}"><input type="hidden" name="step" value="${step}"><input type="hidden" name="answer" value="">${fields}${button}</form>`
}

export const withScript = (page: Page): Page => ({ ...page, script: passkeyScript })

const words = {
  'webauthn-passwordless': {
    title: 'Set up a passkey',
    lead: 'A passkey signs you in with the lock of this device, or with a security key, in place of your password.',
    label: 'Passkey name',
  },
  webauthn: {
    title: 'Set up a security key',
    lead: 'A security key is asked for after your password, as a second factor.',
    label: 'Key name',
  },
} as const

export function passkeySetupPage(ctx: FormContext, kind: keyof typeof words, options: object): Page {
  const { title, lead, label } = words[kind]
  const fields = html`<div><label for="label">${label}</label><input id="label" name="label" maxlength="60" dir="auto"><p class="help"><bdi>So that you can tell several devices apart.</bdi></p></div>`
  const content = html`<h1>${title}</h1><p class="lead"><bdi>${lead}</bdi></p>${complaint(ctx.error)}<noscript><p class="note bad"><bdi>This step needs JavaScript.</bdi></p></noscript>${passkeyForm(
    ctx,
    { call: 'create', step: `set-up-${kind}`, options, fields, button: html`<button>${title}</button>` },
  )}`
  return withScript(frame(ctx, title, content))
}

/** Asks for a security key after the password. */
export function securityKeyPage(ctx: FormContext, options: object): Page {
  const content = html`<h1>Security key</h1><p class="lead"><bdi>Use the security key that you set up.</bdi></p>${complaint(ctx.error)}<noscript><p class="note bad"><bdi>This step needs JavaScript.</bdi></p></noscript>${passkeyForm(
    ctx,
    { call: 'get', step: 'security-key', options, button: html`<button>Use security key</button>` },
  )}`
  return withScript(frame(ctx, 'Security key', content))
}
