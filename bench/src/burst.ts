import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import { encodeQuery } from '@quayside/contract/http/query-string'
import { inParallel } from './cluster/rates.ts'
import { bareHelm } from './deployments/bare-helm.ts'
import { type Assigned, type Deployer, teamsOf } from './deployments/commands.ts'
import { countHelms } from './deployments/count-helms.ts'
import { sandboxOf } from './deployments/sandbox-calls.ts'
import { type Started, withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { ratioOf, round } from './statistics.ts'

const burst = 200
const rounds = 2
const perRound = 100
const spaces = 10
const atOnce = 4
const nodes = 12
const goals = { acceptedSeconds: 10, finalSeconds: 60, ratio: 1.1 }

/** Two hundred deployments posted at once; then as many through the portal as by bare Helm, four at a time, in turn. */
export function burstBench(chart: string, bench: string): Promise<Report> {
  return withProduct(async (product) => {
    const teams = () => teamsOf(product, chart, spaces)
    const { helms: bareHelms, values, version } = await warmUp(product, chart, await teams())

    // Three nodes hold 330 pods, and those of this bench are more.
    const sandbox = await sandboxOf(join(product.dataDir, 'kubeconfig'))
    await sandbox.call('PUT', '/quayside/node-pools/sandbox', { count: nodes })

    const posted = await assignAll(await teams(), 'Burst', burst)
    const helms = countHelms(product.dataDir)
    const all = await rushOf(await teams(), posted)
    helms.stop()

    const portal: number[] = []
    const bare: number[] = []
    for (let at = 0; at < rounds; at += 1) {
      const through = async () => {
        const ready = await assignAll(await teams(), `Round ${at}`, perRound)
        portal.push((await rushOf(await teams(), ready)).final)
        posted.push(...ready)
      }
      const direct = async () => {
        const since = performance.now()
        await inParallel(perRound, atOnce, async (one) => {
          await bareHelms[one % spaces]?.install(`bare-${at}-${one}`, values)
        })
        bare.push((performance.now() - since) / 1000)
      }
      // Each goes first as often as the other: the Sandbox fills up on the way.
      for (const work of at % 2 === 0 ? [through, direct] : [direct, through]) await work()
    }
    const deployed = new Set((await Promise.all(bareHelms.map((helm) => helm.deployed()))).flat())
    const untrue = posted.filter(({ releaseName }) => !deployed.has(releaseName)).length
    if (untrue > 0) throw new Error(`${untrue} deployments are called a success, and Helm does not list them`)
    const { ratio, low, high } = ratioOf(portal, bare)
    const isGoalMet =
      all.accepted <= goals.acceptedSeconds &&
      all.final <= goals.finalSeconds &&
      helms.most <= atOnce &&
      ratio <= goals.ratio
    return {
      bench,
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
        `${chart} ${version}; both sides with the same Helm, package, values, account and ${spaces} spaces.`,
        `${rounds} rounds of ${perRound} each side in turn; the portal posts all ${perRound} at once, bare Helm keeps ${atOnce} running.`,
        'Final means read back from the cluster and in the ledger. Afterwards Helm lists each of them as deployed.',
        'Helm processes are counted every 50 ms, in the burst alone.',
      ],
      isGoalMet,
    }
  })
}

/** One deployment and one bare Helm in each space, so that namespaces, accounts and what Helm keeps are there. */
async function warmUp({ dataDir }: Started, chart: string, teams: Deployer[]) {
  const { version, valuesYaml: values } = (teams[0] as Deployer).version
  const helms: Awaited<ReturnType<typeof bareHelm>>[] = []
  for (const [at, team] of teams.entries()) {
    const assigned = await team.assign(`Warm up ${at}`)
    await team.ended((await team.deploy(assigned)).actionId)
    const helm = await bareHelm({ dataDir, namespace: assigned.namespace, chart, version })
    await helm.install(`bare-warm-up-${at}`, values)
    helms.push(helm)
  }
  return { helms, values, version }
}

async function assignAll(teams: Deployer[], name: string, count: number): Promise<Assigned[]> {
  const assigned: Assigned[] = []
  await inParallel(count, 8, async (at) => {
    const team = teams[at % teams.length] as Deployer
    assigned[at] = await team.assign(`${name} ${at}`)
  })
  return assigned
}

/** Seconds until the last was accepted and until the last was final. Throws unless each ended as a success. */
async function rushOf([deployer]: [Deployer, ...Deployer[]], assigned: readonly Assigned[]) {
  const since = performance.now()
  const commands = await Promise.all(assigned.map((one) => deployer.deploy(one)))
  const accepted = (performance.now() - since) / 1000
  // Polling adds load to the portal: wait for the last command only, and then for the actions that run beside it.
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
