import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById } from '../http/primitives.ts'
import { linkActions } from '../users/rules.ts'
import { linkHours, mailLimits, mailStatuses } from './limits.ts'

const endpoint = endpointsOf('iam')

/** SMTP server by which the identity server sends mail; an empty host for none. Its password is never told. */
const MailServer = z.object({
  host: z.string(),
  port: z.number().nullable(),
  from: z.string(),
  fromDisplayName: z.string(),
  replyTo: z.string(),
  /** How the connection is encrypted: from the first byte, after STARTTLS, or where the server offers it. */
  encryption: z.enum(['tls', 'starttls', 'offered']),
  /** Empty where the server asks for no sign-in. */
  user: z.string(),
})

export const MailSettings = MailServer.extend({
  hasPassword: z.boolean(),
  /** Tells whether mails that cannot be sent are kept for an administrator; Keycloak keeps none. */
  hasOutbox: z.boolean(),
})
export type MailSettings = z.infer<typeof MailSettings>

const address = z
  .email('an address such as portal@example.org')
  .max(mailLimits.address, `at most ${mailLimits.address} characters`)
const oneLine = z
  .string()
  .trim()
  .max(mailLimits.text, `at most ${mailLimits.text} characters`)
  .regex(/^\P{Cc}*$/u, 'one line')

const ServerInput = z.strictObject({
  host: oneLine.regex(/^([A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?)?$/, 'the name or address of a host'),
  port: z.number().int().min(1).max(65_535).nullable(),
  from: address.or(z.literal('')),
  fromDisplayName: oneLine,
  replyTo: address.or(z.literal('')),
  encryption: z.enum(['tls', 'starttls', 'offered']),
  user: oneLine,
  password: z
    .string()
    .max(mailLimits.password, `at most ${mailLimits.password} characters`)
    .optional()
    .describe('left out, the one that is there stays'),
})
const needsSender = ({ host, from }: { host: string; from: string }) => host === '' || from !== ''
const senderMissing = { path: ['from'], message: 'Sender address required' }

const MailServerInput = ServerInput.refine(needsSender, senderMissing)
export type MailServerInput = z.infer<typeof MailServerInput>
const TestInput = ServerInput.extend({ to: address }).refine(needsSender, senderMissing)

export const OutboxMail = z.object({
  id: z.string(),
  userId: z.string(),
  to: z.string(),
  subject: z.string(),
  /** `kept`: there was no mail server. `pending`: is sent, or tried again. `failed`: was given up. */
  status: z.enum(mailStatuses),
  tries: z.number(),
  /** Reason of the last failure; null for none. */
  reason: z.string().nullable(),
  nextTryAt: z.string().nullable(),
  createdAt: z.string(),
  /** When its link ends. */
  expiresAt: z.string(),
  sentAt: z.string().nullable(),
  /** Tells whether its text is still there: it goes when the mail was sent or its link has ended. */
  isReadable: z.boolean(),
})
export type OutboxMail = z.infer<typeof OutboxMail>

const MailContent = OutboxMail.extend({ text: z.string().nullable(), link: z.string().nullable() })
export type MailContent = z.infer<typeof MailContent>

const LinkInput = z.strictObject({
  actions: z.array(z.enum(linkActions)).min(1).max(linkActions.length),
  hours: z.number().int().min(linkHours.least).max(linkHours.most).default(linkHours.usual),
})

/** Mail of the identity server: the server that sends it, the mails, and links where there is none. */
export const mail = {
  mailSettings: endpoint('GET', '/v3/mail/settings', {
    summary: 'The mail server by which the identity server sends mail',
    reply: MailSettings,
  }),
  setMailSettings: endpoint('PUT', '/v3/mail/settings', {
    summary: 'Set the mail server; an empty host for none',
    body: MailServerInput,
    reply: MailSettings,
  }),
  testMail: endpoint('POST', '/v3/mail/test', {
    summary: 'Send a mail by these settings, which need not be saved',
    body: TestInput,
    status: 204,
  }),
  findMails: endpoint('GET', '/v3/outbox', {
    summary: 'Mails of the last 30 days, newest first, without their texts; none where the identity server keeps none',
    query: ListQuery,
    reply: listOf(OutboxMail),
  }),
  readMail: endpoint('GET', '/v3/outbox/:id', {
    summary: 'One mail with its text and link, as long as they are there',
    handsOut: true,
    params: ById,
    reply: MailContent,
  }),
  sendMail: endpoint('POST', '/v3/outbox/:id/send', {
    summary: 'Send a mail that was kept or given up',
    params: ById,
    status: 204,
  }),
  makeLink: endpoint('POST', '/v3/users/:id/action-link', {
    summary: 'Make a link, for one use, by which a user does these actions',
    params: ById,
    body: LinkInput,
    reply: z.object({ link: z.string(), expiresAt: z.string() }),
  }),
}
