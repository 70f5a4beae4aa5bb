import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createSupervisor, type Program, type Supervisor, type Watcher } from './supervisor.ts'

const url = JSON.stringify(new URL('./supervisor.ts', import.meta.url).href)
const portalWithHelm = `
  import { createSupervisor } from ${url}
  const nothing = () => undefined
  createSupervisor(800).run(
    { file: '/bin/sh', argv: ['-c', 'echo $$; sleep 60 & wait'], cwd: '/', env: { PATH: '/usr/bin:/bin' } },
    {
      onStart: nothing, onStderr: nothing, onEnd: nothing, onRefused: nothing,
      onStdout: (chunk) => process.stdout.write(chunk)
    }
  )
`
async function startPortal() {
  const portal = spawn(process.execPath, ['--input-type=module-typescript', '-e', portalWithHelm], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = await once(portal.stdout, 'data')
  return { portal, helm: Number(String(first)) }
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('Helm of a portal that is stopped dies while the portal is still stopped', async () => {
  const { portal, helm } = await startPortal()
  try {
    expect(isAlive(helm)).toBe(true)
    // Its beat has begun: it outlives several silences as long as the portal runs.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(isAlive(helm)).toBe(true)
    portal.kill('SIGSTOP')
    await expect.poll(() => isAlive(helm), { timeout: 5000 }).toBe(false)
  } finally {
    portal.kill('SIGKILL')
  }
})

test('Helm of a portal that is killed dies, and so does what it had started', async () => {
  const { portal, helm } = await startPortal()
  const parent = Number((await statOf(helm)).split(' ')[1])
  expect(isAlive(parent) && parent !== portal.pid).toBe(true)
  portal.kill('SIGKILL')
  await expect.poll(() => isAlive(helm) || isAlive(-helm) || isAlive(parent), { timeout: 5000 }).toBe(false)
})

test('what a program writes arrives whole, and then how it ended', async () => {
  const supervisor = createSupervisor(4000)
  const bytes = 3 * 1024 * 1024
  const script = `head -c ${bytes} /dev/zero; echo no room >&2; exit 3`
  const heard = await hearing(supervisor, { argv: ['-c', script] }).over
  expect(heard).toEqual({ stdout: bytes, stderr: 'no room\n', code: 3, signal: null, isLost: false })
  supervisor.close()
})

test('a signal reaches a program that was only just asked for', async () => {
  const supervisor = createSupervisor(4000)
  const { signal, over } = hearing(supervisor, { argv: ['-c', 'sleep 60'] })
  signal('SIGTERM')
  expect(await over).toMatchObject({ code: null, signal: 'SIGTERM' })
  supervisor.close()
})

test('a program that is not there is refused', async () => {
  const supervisor = createSupervisor(4000)
  await expect(hearing(supervisor, { file: '/nowhere/helm' }).over).rejects.toMatchObject({ code: 'ENOENT' })
  supervisor.close()
})

test('when the supervisor is killed its programs are lost, and the next ones run', async () => {
  const supervisor = createSupervisor(4000)
  const first = hearing(supervisor, { argv: ['-c', 'sleep 60 & wait'] })
  const helm = await first.group
  process.kill(Number((await statOf(helm)).split(' ')[1]), 'SIGKILL')
  expect(await first.over).toMatchObject({ signal: 'SIGKILL', isLost: true })
  await expect.poll(() => isAlive(-helm), { timeout: 5000 }).toBe(false)
  expect(await hearing(supervisor, { argv: ['-c', 'exit 0'] }).over).toMatchObject({ code: 0, isLost: false })
  supervisor.close()
})

test('a supervisor that stands still is replaced, and what it ran is lost', async () => {
  // Long enough for it to have started on a busy machine: until then it stands still as well.
  const supervisor = createSupervisor(2000)
  const first = hearing(supervisor, { argv: ['-c', 'sleep 60 & wait'] })
  const helm = await first.group
  process.kill(Number((await statOf(helm)).split(' ')[1]), 'SIGSTOP')
  expect(await first.over).toMatchObject({ signal: 'SIGKILL', isLost: true })
  await expect.poll(() => isAlive(-helm), { timeout: 5000 }).toBe(false)
  expect(await hearing(supervisor, { argv: ['-c', 'exit 0'] }).over).toMatchObject({ code: 0, isLost: false })
  supervisor.close()
})

function hearing(supervisor: Supervisor, program: Partial<Program>) {
  const heard = { stdout: 0, stderr: '' }
  const group = Promise.withResolvers<number>()
  const { promise: over, resolve, reject } = Promise.withResolvers<unknown>()
  const watcher: Watcher = {
    onStart: (pid) => group.resolve(pid),
    onStdout(chunk) {
      heard.stdout += chunk.length
    },
    onStderr(chunk) {
      heard.stderr += chunk
    },
    onEnd: (code, signal, isLost) => resolve({ ...heard, code, signal, isLost }),
    onRefused: reject,
  }
  const env = { PATH: '/usr/bin:/bin' }
  const signal = supervisor.run({ file: '/bin/sh', argv: [], cwd: '/', env, ...program }, watcher)
  return { signal, group: group.promise, over }
}

/** State, parent, group, … of a process. */
async function statOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2)
}
