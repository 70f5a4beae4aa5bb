import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import { syslogFrame } from './syslog.ts'

export type CollectedEntry = AuditEntry & { tenant: string }

/** Takes entries; throws unless all of them have arrived, as far as the protocol tells. */
export type Collector = (entries: readonly CollectedEntry[]) => Promise<void>

const timeoutMs = 10_000

/** The collector at an address: NDJSON by POST for http and https, RFC 5424 over TCP for syslog, over TLS for syslogs. */
export function collectorAt({ url, token }: { url: string; token: string | undefined }): Collector {
  const address = new URL(url)
  return address.protocol.startsWith('http') ? byHttp(url, token) : bySyslog(address)
}

function byHttp(url: string, token: string | undefined): Collector {
  return async (entries) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the collector of the audit log answers ${answer.status}`)
  }
}

function bySyslog({ protocol, hostname, port }: URL): Collector {
  const host = hostname.replace(/^\[|\]$/g, '')
  return async (entries) => {
    const socket =
      protocol === 'syslogs:'
        ? connectTls({ host, port: Number(port || 6514), servername: host })
        : connectTcp({ host, port: Number(port || 601) })
    const signal = AbortSignal.timeout(timeoutMs)
    const failed = once(socket, 'error', { signal }).then(([error]) => Promise.reject(error))
    try {
      const written = new Promise<void>((done) => socket.end(entries.map(syslogFrame).join(''), done))
      await Promise.race([written, failed])
    } finally {
      failed.catch(() => undefined)
      socket.destroySoon()
    }
  }
}
