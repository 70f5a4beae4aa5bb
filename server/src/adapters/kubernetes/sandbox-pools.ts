import { z } from 'zod'
import { KubeRefusal, type Transport } from './transport.ts'

const Pool = z.object({ name: z.string().max(40), count: z.number().int().min(0) })
const Pools = z.object({ items: z.array(Pool).max(100) })
const path = '/quayside/node-pools'

/** The node pools of the Sandbox, which has its own address for them; undefined on any other cluster. */
export async function sandboxPools(transport: Transport): Promise<{ name: string; count: number }[] | undefined> {
  try {
    const parsed = Pools.safeParse(await transport.json({ path }))
    return parsed.success ? parsed.data.items : undefined
  } catch (error) {
    if (error instanceof KubeRefusal) return undefined
    throw error
  }
}

export async function resizeSandboxPool(transport: Transport, name: string, count: number): Promise<void> {
  await transport.json({ method: 'PUT', path: `${path}/${encodeURIComponent(name)}`, body: { count } })
}
