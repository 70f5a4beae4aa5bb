import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { World } from '@quayside/embedded/world'
import { findProgram, runProgram } from '@quayside/embedded-kubernetes/conformance/programs'
import { newSpace, operator, registered } from './kubectl-user.ts'

/**
 * A World whose cluster an operator has registered, with a space on it, and the stock kubectl.
 * @param real the kubeconfig file of an administrator of a real API server, which stands in for the Sandbox
 */
export async function kubectlStage(real?: string) {
  const world = await World.start(
    real ? { cluster: false, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } } : { cluster: { speed: 10 } },
  )
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'))
  const close = async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await peopledStage(world, real ?? world.kubeconfig)), kubectl: kubectlIn(folder), close }
  } catch (error) {
    await close()
    throw error
  }
}
export type KubectlStage = Awaited<ReturnType<typeof kubectlStage>>

async function peopledStage(world: World, kubeconfigFile: string) {
  const clusterAdmin = readFileSync(kubeconfigFile, 'utf8')
  const admin = await operator(world)
  const cluster = await registered(admin, clusterAdmin)
  const space = await newSpace(admin, [cluster.id])
  return {
    ...{ world, admin, cluster, space, directory: await world.directory() },
    /** The kubeconfig of the administrator of the cluster. */
    clusterAdmin,
  }
}

/** Runs the stock kubectl with a kubeconfig, as the person who downloaded it would; its files stay in the folder. */
const kubectlIn = (folder: string) => async (kubeconfig: string, args: string, manifest?: unknown) => {
  const program = await findProgram('kubectl')
  if (!program) throw new Error('there is no kubectl here')
  const file = join(folder, randomUUID())
  writeFileSync(file, kubeconfig)
  const input = manifest === undefined ? undefined : JSON.stringify(manifest)
  return runProgram(program, args.split(' '), { KUBECONFIG: file, HOME: folder }, input)
}
