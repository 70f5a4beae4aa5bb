import { pino } from 'pino'

export type Logger = pino.Logger

const secret = [
  'authorization',
  'password',
  'token',
  'secret',
  'kubeconfig',
  'client_secret',
  'refresh_token',
  'access_token',
]

/** JSON lines on stdout; what is known to be secret never gets there. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
  })
}
