import { readFileSync, writeFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

/**
 * Where a deployment can be cut on purpose, to prove that it survives. What each one is stands in docs/robustness.md.
 */
export const failpointNames = [
  ...['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12'],
  ...['F13', 'F14', 'F15', 'F16', 'F17', 'F18', 'F19', 'F20', 'F21', 'F22', 'F23', 'F24'],
  'F25',
  'F26',
] as const

class FailpointError extends Error {
  override name = 'FailpointError'
}

const faultPattern = /^(kill|sigterm|throw|full|hold|hang:\d{1,6})$/
let armed: Map<string, string> | undefined
let armedFile: string | undefined

/**
 * Arms failpoints: `F13=kill,F4=throw`, or `@/a/file` that says so and can be written while the portal runs; what has
 * struck is taken out of it. Each strikes once; `hold` stays in the file and lasts until somebody takes it out. Without a text nothing is armed and a failpoint costs one comparison.
 * Throws ConfigError for a name or a fault that there is not.
 */
export function armFailpoints(text: string | undefined): void {
  armedFile = text?.startsWith('@') ? text.slice(1) : undefined
  const plan = text === undefined ? undefined : readPlan(armedFile === undefined ? text : textOf(armedFile))
  armed = armedFile === undefined ? plan : undefined
}

/** Tells whether any failpoint can strike in this process. */
export function areFailpointsOn(): boolean {
  return armed !== undefined || armedFile !== undefined
}

export function failpoint(name: string): Promise<void> | undefined {
  if (armed === undefined && armedFile === undefined) return undefined
  const plan = armedFile === undefined ? armed : readPlan(textOf(armedFile))
  const fault = plan?.get(name)
  if (fault === undefined) return undefined
  if (fault === 'hold') return held(name)
  plan?.delete(name)
  if (plan && armedFile !== undefined) writeFileSync(armedFile, [...plan].map((each) => each.join('=')).join())
  return strike(name, fault)
}

async function held(name: string): Promise<void> {
  while (armedFile !== undefined && readPlan(textOf(armedFile)).get(name) === 'hold')
    await new Promise((resolve) => setTimeout(resolve, 20))
}

async function strike(name: string, fault: string): Promise<void> {
  if (fault === 'throw') throw new FailpointError(`failpoint ${name}`)
  // The error of a write to a full disk.
  if (fault === 'full') throw Object.assign(new Error(`ENOSPC: failpoint ${name}`), { code: 'ENOSPC' })
  if (fault.startsWith('hang:')) return new Promise((resolve) => setTimeout(resolve, Number(fault.slice(5))))
  process.kill(process.pid, fault === 'kill' ? 'SIGKILL' : 'SIGTERM')
  // The signal arrives with the next turn of the event loop.
  return new Promise((resolve) => setTimeout(resolve, 20))
}

function readPlan(text: string): Map<string, string> {
  const plan = new Map<string, string>()
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [name = '', fault = ''] = part.trim().split('=')
    if (!(failpointNames as readonly string[]).includes(name) || !faultPattern.test(fault))
      throw new ConfigError(
        `QUAYSIDE_FAILPOINTS: ${part.trim()} is none; write F1 to F26 = kill, sigterm, throw, full, hold or hang:<ms>`,
      )
    plan.set(name, fault)
  }
  return plan
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
