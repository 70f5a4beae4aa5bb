import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endAfterUs } from './guard.ts'
import { processBirth } from './process-identity.ts'

const module = JSON.stringify(import.meta.resolve('./guard.ts'))

/** A process that guards another one and is killed. */
async function guardAndDie(pid: number, isCalledOff: boolean): Promise<void> {
  const code = `const { endAfterUs } = await import(${module})
const callOff = endAfterUs(${pid}, 0)
${isCalledOff ? 'callOff()' : ''}
process.stdout.write('ready')
setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test.skipIf(process.platform === 'win32')(
  'what is guarded ends after its guardian was killed, and only then',
  async () => {
    const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' })
    const pid = sleeper.pid ?? 0
    const ended = once(sleeper, 'exit')
    try {
      await guardAndDie(pid, true)
      const callOff = endAfterUs(pid, 0)
      expect(processBirth(pid)).toBeDefined()
      callOff()
      await guardAndDie(pid, false)
      expect(await ended).toEqual([null, 'SIGINT'])
    } finally {
      sleeper.kill('SIGKILL')
    }
  },
  60_000,
)
