import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface HelmRun {
  code: number
  seconds: number
  text: string
}

/** Runs stock Helm with nothing but a kubeconfig and a home of its own. */
export function helmFor(binary: string, home: string) {
  const env = { HOME: home, KUBECONFIG: join(home, 'kubeconfig'), PATH: process.env.PATH }
  return (...args: string[]): Promise<HelmRun> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
      }
      child.on('error', reject)
      child.on('close', (code) => {
        resolve({ code: code ?? -1, seconds: Math.round(performance.now() - since) / 1000, text })
      })
    })
}
