import { type DestinationStream, pino } from 'pino'
import { logContext } from './log-context.ts'

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
export function createLogger(level: string, to?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    mixin: () => ({ ...logContext.getStore() }),
  }
  return to ? pino(options, to) : pino(options)
}
