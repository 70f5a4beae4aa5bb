import { Agent, get } from 'node:http'

/** A process of its own, so that asking and answering do not share a thread: keeps `connections` requests in flight. */
interface Order {
  url: string
  token: string
  connections: number
  seconds: number
}

const { url, token, connections, seconds } = JSON.parse(process.argv[2] ?? '') as Order
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }

function ask(): Promise<number> {
  return new Promise((resolve, reject) => {
    const since = performance.now()
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`))
      answer.resume()
      answer.once('end', () => resolve(performance.now() - since))
    }).once('error', reject)
  })
}

async function measure(forSeconds: number): Promise<number[]> {
  const taken: number[] = []
  const end = performance.now() + forSeconds * 1000
  const one = async () => {
    while (performance.now() < end) taken.push(await ask())
  }
  await Promise.all(Array.from({ length: connections }, one))
  return taken
}

await measure(Math.min(1, seconds / 3))
console.log(JSON.stringify(await measure(seconds)))
agent.destroy()
