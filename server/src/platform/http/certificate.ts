import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:https'
import { isIP } from 'node:net'
import { ConfigError } from '../config/config.ts'
import type { Logger } from '../logging/logger.ts'

/** Files in PEM: a certificate with those that signed it, and its private key without a passphrase. */
export interface CertificateFiles {
  certFile: string
  keyFile: string
}

interface Certificate {
  cert: string
  key: string
  expiresAt: Date
  isFor(host: string): boolean
}

const dayMs = 86_400_000
const soonDays = 14
const lookAgainMs = 10_000
const warnAgainMs = dayMs

/** Reads both files. Throws ConfigError with the setting that is to be changed. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = textOf('QUAYSIDE_TLS_CERT_FILE', certFile)
  const key = textOf('QUAYSIDE_TLS_KEY_FILE', keyFile)
  const leaf = parsed('QUAYSIDE_TLS_CERT_FILE: holds no certificate in PEM', () => new X509Certificate(cert))
  const privateKey = parsed('QUAYSIDE_TLS_KEY_FILE: holds no private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  )
  if (!leaf.checkPrivateKey(privateKey))
    throw new ConfigError('QUAYSIDE_TLS_KEY_FILE: is not the key of the first certificate in QUAYSIDE_TLS_CERT_FILE')
  return {
    cert,
    key,
    expiresAt: leaf.validToDate,
    isFor(host) {
      // An IPv6 address stands in brackets in a URL.
      const bare = host.replace(/^\[|\]$/g, '')
      return (isIP(bare) ? leaf.checkIP(bare) : leaf.checkHost(bare)) !== undefined
    },
  }
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${setting}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function parsed<T>(sentence: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new ConfigError(sentence)
  }
}

/**
 * Looks every ten seconds for files that were renewed, and serves new connections with them. Files that do not fit each other,
 * as in the middle of a renewal, change nothing. Returns a function that ends it.
 */
export function followCertificate(
  server: Pick<Server, 'setSecureContext'>,
  files: CertificateFiles,
  { log, host, first, everyMs = lookAgainMs }: { log: Logger; host: string; first: Certificate; everyMs?: number },
): () => void {
  let served = first
  let said = ''
  let warnedAt = Date.now()
  warnOf(served, host, log)
  const timer = setInterval(() => {
    try {
      const found = readCertificate(files)
      said = ''
      if (found.cert === served.cert && found.key === served.key) {
        if (Date.now() - warnedAt < warnAgainMs) return
        warnedAt = Date.now()
        return warnOf(served, host, log)
      }
      server.setSecureContext(found)
      served = found
      log.info({ expiresAt: served.expiresAt }, 'the renewed certificate is in use')
      warnOf(served, host, log)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message === said) return
      said = message
      log.error({ reason: message }, 'the certificate was not renewed: the one before stays in use')
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function warnOf({ expiresAt, isFor }: Certificate, host: string, log: Logger): void {
  const days = Math.floor((expiresAt.getTime() - Date.now()) / dayMs)
  if (days < 0) log.warn({ expiresAt }, 'the certificate has expired')
  else if (days < soonDays) log.warn({ expiresAt }, 'the certificate expires soon')
  if (!isFor(host)) log.warn({ host }, 'the certificate is not for the host of QUAYSIDE_URL')
}
