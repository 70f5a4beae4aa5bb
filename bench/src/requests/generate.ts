import { Agent, get } from 'node:http'
import type { Order } from './run-generate.ts'

// A process of its own, so that asking and answering do not share a thread.
const { url, token, connections, seconds, isRefusable = false } = JSON.parse(process.argv[2] ?? '') as Order
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }

function ask(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const since = performance.now()
    get(url, { agent, headers }, (answer) => {
      const isRefused = isRefusable && answer.statusCode === 429
      if (answer.statusCode !== 200 && !isRefused) reject(new Error(`answered ${answer.statusCode}`))
      answer.resume()
      answer.once('end', () => resolve(isRefused ? undefined : performance.now() - since))
    }).once('error', reject)
  })
}

let refused = 0

async function measure(forSeconds: number): Promise<number[]> {
  const taken: number[] = []
  const end = performance.now() + forSeconds * 1000
  const one = async () => {
    while (performance.now() < end) {
      const milliseconds = await ask()
      if (milliseconds === undefined) refused += 1
      else taken.push(milliseconds)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return taken
}

await measure(Math.min(1, seconds / 3))
refused = 0
const taken = await measure(seconds)
console.log(JSON.stringify({ taken, refused }))
agent.destroy()
