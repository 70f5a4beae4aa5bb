import { html } from '../pages/html.ts'

/** Reasons for which a mail is sent. */
export type MailKind = 'execute-actions' | 'reset-credentials' | 'verify-email' | 'update-email'

const actionWords: Readonly<Record<string, string>> = {
  UPDATE_PASSWORD: 'set a password',
  CONFIGURE_TOTP: 'set up a second factor',
  UPDATE_PROFILE: 'complete your profile',
  VERIFY_EMAIL: 'confirm your e-mail address',
}

/** Actions in the words of a sentence: `set a password and complete your profile`. */
export function describeActions(actions: readonly string[]): string {
  const named = actions.map((action) => actionWords[action] ?? action)
  if (named.length < 2) return named[0] ?? 'continue'
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}

function lifespanWords(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const
  const [size, unit] = units.find(([length]) => seconds >= length && seconds % length === 0) ?? [60, 'minute']
  const count = Math.max(1, Math.round(seconds / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

interface Subject {
  kind: MailKind
  realm: string
  actions: readonly string[]
  link: string
  lifespan: number
}

const contents: Readonly<
  Record<MailKind, (about: Subject) => { subject: string; lead: string; button: string; else: string }>
> = {
  'execute-actions': ({ realm, actions }) => ({
    subject: `Your account for ${realm}`,
    lead: `An administrator of ${realm} asks you to ${describeActions(actions)}.`,
    button: 'Continue',
    else: 'If you know nothing of it, ignore this mail.',
  }),
  'reset-credentials': ({ realm }) => ({
    subject: `Set a new password for ${realm}`,
    lead: `Somebody, probably you, asked for a new password for your account for ${realm}.`,
    button: 'Set a new password',
    else: 'If it was not you, ignore this mail: nothing changes.',
  }),
  'verify-email': ({ realm }) => ({
    subject: `Confirm your e-mail address for ${realm}`,
    lead: `An account for ${realm} has this e-mail address. Confirm that it is yours.`,
    button: 'Confirm this address',
    else: 'If the account is not yours, ignore this mail.',
  }),
  'update-email': ({ realm }) => ({
    subject: `Confirm your new e-mail address for ${realm}`,
    lead: `Somebody wants to use this e-mail address for their account for ${realm}. Confirm that it is you.`,
    button: 'Confirm this address',
    else: 'If it was not you, ignore this mail: nothing changes.',
  }),
}

/** A mail with a link, as text and as a page. It has no text that a stranger may have typed. */
export function writeLetter(about: Subject): { subject: string; text: string; html: string } {
  const said = contents[about.kind](about)
  const lasts = `The link can be used once, within ${lifespanWords(about.lifespan)}.`
  const text = `${said.lead}\n\n${about.link}\n\n${lasts} ${said.else}\n`
  const page = html`<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5">
<p>${said.lead}</p><p><a href="${about.link}">${said.button}</a></p><p>${lasts} ${said.else}</p><p style="font-size:13px">${about.link}</p></body></html>`
  return { subject: said.subject, text, html: page.text }
}
