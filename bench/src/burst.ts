import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import { encodeQuery } from '@quayside/contract/query-string'
import { inParallel } from './cluster/rates.ts'
import { bareHelm } from './deployments/bare-helm.ts'
import { type Assigned, type Deployer, deployerOf } from './deployments/commands.ts'
import { countHelms } from './deployments/count-helms.ts'
import { sandboxOf } from './deployments/sandbox-calls.ts'
import { withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { ratioOf, round } from './statistics.ts'

const chart = 'web-page'
const burst = 200
const rounds = 4
const perRound = 25
const atOnce = 4
const nodes = 12
const goals = { acceptedSeconds: 10, finalSeconds: 60, ratio: 1.1 }

/** Two hundred deployments posted at once; then as many through the portal as by bare Helm, four at a time, in turn. */
export function burstBench(): Promise<Report> {
  return withProduct(async (product) => {
    const deployer = await deployerOf(product, chart)
    const warmUp = await deployer.assign('Warm up')
    await deployer.ended((await deployer.deploy(warmUp)).actionId)
    const { namespace, values } = warmUp
    const { version } = deployer.version
    const helm = await bareHelm({ dataDir: product.dataDir, namespace, chart, version })
    await helm.install('bare-warm-up', values)

    // Three nodes hold 330 pods, and those of this bench are more.
    const sandbox = await sandboxOf(join(product.dataDir, 'kubeconfig'))
    await sandbox.call('PUT', '/quayside/node-pools/sandbox', { count: nodes })

    const posted = await assignAll(deployer, 'Burst', burst)
    const helms = countHelms(product.dataDir)
    const all = await rushOf(deployer, posted)
    helms.stop()

    const portal: number[] = []
    const bare: number[] = []
    for (let at = 0; at < rounds; at += 1) {
      const through = async () => {
        const ready = await assignAll(deployer, `Round ${at}`, perRound)
        portal.push((await rushOf(deployer, ready)).final)
        posted.push(...ready)
      }
      const direct = async () => {
        const since = performance.now()
        await inParallel(perRound, atOnce, async (one) => void (await helm.install(`bare-${at}-${one}`, values)))
        bare.push((performance.now() - since) / 1000)
      }
      // Each goes first as often as the other: the Sandbox fills up on the way.
      for (const work of at % 2 === 0 ? [through, direct] : [direct, through]) await work()
    }
    const deployed = new Set(await helm.deployed())
    const untrue = posted.filter(({ releaseName }) => !deployed.has(releaseName)).length
    if (untrue > 0) throw new Error(`${untrue} deployments are called a success, and Helm does not list them`)
    const { ratio, low, high } = ratioOf(portal, bare)
    const isGoalMet =
      all.accepted <= goals.acceptedSeconds &&
      all.final <= goals.finalSeconds &&
      helms.most <= atOnce &&
      ratio <= goals.ratio
    return {
      bench: 'burst',
      columns: ['what', 'measured', 'goal'],
      rows: [
        [`${burst} posted at once: all accepted`, `${round(all.accepted, 1)} s`, `${goals.acceptedSeconds} s`],
        [`${burst} posted at once: all final, each a success`, `${round(all.final, 1)} s`, `${goals.finalSeconds} s`],
        ['most Helm at once', helms.most, atOnce],
        [`${perRound} through the portal`, `${portal.map((one) => round(one, 1)).join(' ')} s`, ''],
        [`${perRound} by bare Helm, ${atOnce} at a time`, `${bare.map((one) => round(one, 1)).join(' ')} s`, ''],
        ['ratio', `${round(ratio, 3)} (95 %: ${round(low, 3)} to ${round(high, 3)})`, goals.ratio],
      ],
      notes: [
        `${chart} ${version}; both sides with the same Helm, package, values, namespace and account.`,
        `${rounds} rounds of ${perRound} each side in turn; the portal posts all ${perRound} at once, bare Helm keeps ${atOnce} running.`,
        'Final means read back from the cluster and in the ledger. Afterwards Helm lists each of them as deployed.',
        'Helm processes are counted every 50 ms, in the burst alone.',
      ],
      isGoalMet,
    }
  })
}

async function assignAll(deployer: Deployer, name: string, count: number): Promise<Assigned[]> {
  const assigned: Assigned[] = []
  await inParallel(count, 8, async (at) => {
    assigned[at] = await deployer.assign(`${name} ${at}`)
  })
  return assigned
}

/** Seconds until the last was accepted and until the last was final. Throws unless each ended as a success. */
async function rushOf(deployer: Deployer, assigned: readonly Assigned[]) {
  const since = performance.now()
  const commands = await Promise.all(assigned.map((one) => deployer.deploy(one)))
  const accepted = (performance.now() - since) / 1000
  // What is asked on the way is work for the portal too: one waits for the last of the line, then for those beside it.
  const last = commands.at(-1)
  if (last) await deployer.ended(last.actionId)
  while ((await actionsIn(deployer, 'running')) > 0) await delay(50)
  const final = (performance.now() - since) / 1000
  const failed = await actionsIn(deployer, 'Failed')
  if (failed > 0) throw new Error(`${failed} of ${assigned.length} deployments failed`)
  return { accepted, final }
}

async function actionsIn({ call }: Deployer, state: string): Promise<number> {
  const query = encodeQuery({ filters: { state }, page: { limit: 1 } })
  const { page } = await call<ListReply<Action>>('GET', `/deployment/v1/actions?${query}`)
  return page.total
}
