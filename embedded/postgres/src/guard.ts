import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** The portal, which ends with us too, has this long to hand over what it works on. */
const graceSeconds = 10

/**
 * Ends a PostgreSQL in order when this process dies without having done so: a shell that waits for the end of a pipe,
 * which is the end of this process, however that comes. Answers how to call it off.
 */
export function endAfterUs(pid: number, seconds = graceSeconds): () => void {
  if (process.platform === 'win32') return () => undefined
  const guard = spawn('/bin/sh', ['-c', `read _; sleep ${seconds}; kill -INT ${pid}`], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', (error) => process.emitWarning(`PostgreSQL would outlive a kill of Quayside: ${error.message}`))
  guard.stdin.on('error', () => undefined)
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return () => void guard.kill('SIGKILL')
}
