import nodemailer from 'nodemailer'
import { reachableAddress } from '../http/reachable.ts'
import type { MailServer } from './mail-server.ts'

interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

const timeoutMs = 10_000
/** A server that answers slowly, but answers, holds up mails of other realms for so long and no longer. */
const wholeMs = 30_000

/** Hands a letter to the SMTP server; rejects with the reason when it was not taken. */
export async function deliver(server: MailServer, letter: Letter, allowed: readonly string[]): Promise<void> {
  const address = await reachableAddress(server.host, server.port, allowed)
  const transport = nodemailer.createTransport({
    ...{ host: address, port: server.port, secure: server.ssl, requireTLS: server.starttls },
    tls: { servername: server.host },
    ...(server.auth ? { auth: { user: server.auth.user, pass: server.auth.password } } : {}),
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs },
    // A letter has texts alone: nothing of it may be read from a file or another server.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    const sending = transport.sendMail({
      ...{ from: server.from, replyTo: server.replyTo, subject: letter.subject, text: letter.text, html: letter.html },
      to: { name: '', address: letter.to },
      // The address as it is, and no list that could be read out of it.
      envelope: { from: server.envelopeFrom ?? server.from.address, to: [letter.to] },
      headers: { 'auto-submitted': 'auto-generated' },
    })
    await withinTime(sending)
  } finally {
    transport.close()
  }
}

async function withinTime(sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    const error = Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' })
    timer = setTimeout(() => reject(error), wholeMs)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
    sending.catch(() => undefined)
  }
}

interface SmtpError extends Error {
  code?: string
  responseCode?: number
}

const words: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the user name or password.',
  ECONNECTION: 'The mail server could not be connected to.',
  ECONNREFUSED: 'The mail server could not be connected to.',
  ESOCKET: 'The connection to the mail server failed.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The host of the mail server is not known.',
  ETLS: 'The mail server and this server agreed on no encryption.',
}

/** The reason of a failed delivery in a sentence; the server's own words only where it spoke SMTP. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The mail was not sent.'
  const { code = '', responseCode } = error as SmtpError
  if (responseCode !== undefined && code !== 'EAUTH') {
    const said = error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200)
    return `The mail server refused the mail: ${said}`
  }
  return words[code] ?? error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200)
}

/** The server has said that it will never take this one: a permanent answer of SMTP, but not about who sends it. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as SmtpError
  return responseCode >= 500 && code !== 'EAUTH'
}
