import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createSupervisor } from './supervisor.ts'

const sleeper = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
const program = `
  import { createSupervisor } from ${JSON.stringify(new URL('./supervisor.ts', import.meta.url).href)}
  import { spawn } from 'node:child_process'
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  createSupervisor(800).watch(child.pid)
  process.stdout.write(String(child.pid))
  setInterval(() => undefined, 1000)
`
async function portalWithHelm() {
  const portal = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
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
  const { portal, helm } = await portalWithHelm()
  try {
    expect(isAlive(helm)).toBe(true)
    // Its beat has begun: it outlives several silences as long as the portal runs.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(isAlive(helm)).toBe(true)
    portal.kill('SIGSTOP')
    // Its parent is stopped and cannot reap it, so a zombie is as dead as it gets.
    await expect.poll(async () => !isAlive(helm) || (await stateOf(helm)) === 'Z', { timeout: 5000 }).toBe(true)
  } finally {
    portal.kill('SIGKILL')
  }
})

test('Helm of a portal that is killed dies', async () => {
  const { portal, helm } = await portalWithHelm()
  await new Promise((resolve) => setTimeout(resolve, 500))
  portal.kill('SIGKILL')
  await expect.poll(() => isAlive(helm), { timeout: 5000 }).toBe(false)
})

test('what is no longer watched is left alone', async () => {
  const child = sleeper()
  const supervisor = createSupervisor(400)
  supervisor.watch(child.pid ?? 0)()
  supervisor.close()
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(child.exitCode ?? child.signalCode).toBeNull()
  child.kill('SIGKILL')
})

async function stateOf(pid: number): Promise<string | undefined> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2)[0]
}
