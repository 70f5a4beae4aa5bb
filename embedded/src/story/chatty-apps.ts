import { readFileSync } from 'node:fs'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import { type Accepted, type Action, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import type { World } from '../world.ts'
import { chattyFiles } from './chatty-chart.ts'
import { createSecretSearch, givenSecrets } from './secret-forms.ts'
import { deployDataOf, metadataOf, type Story } from './story.ts'

/** An action of an app whose chart says its secrets in one way, and how it ended. */
interface Said {
  says: string
  state: string
}

/** Apps of a chart that says its secrets wherever a chart can, and the search for all of them. */
export async function createChattyApps(world: Pick<World, 'kubeconfig'>, story: Story) {
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const space = await story.space('Secrets', kubeconfig)
  const child = await story.uploadSmall('chatty', '1.0.0', chattyFiles)
  const core = clientOf(kubeconfig)
  const search = createSecretSearch()

  /** Learns from the Secrets of the charts as they are now; those of earlier revisions are known already. */
  async function learnMadeUp(): Promise<void> {
    const { items } = await core.listNamespacedSecret({ namespace: space.namespace })
    for (const { metadata, data = {} } of items)
      if (/-(?:made|sign|hook)$/.test(metadata?.name ?? ''))
        for (const value of Object.values(data)) search.learn(Buffer.from(value, 'base64').toString())
  }

  async function run(kind: 'Deploy' | 'Upgrade', body: object): Promise<Action> {
    const answer = await story.post<Accepted>(kind, body)
    if (answer.status !== 202) throw new Error(`${kind} answered ${JSON.stringify(answer)}`)
    const action = await story.ended(answer.body.actionId)
    await learnMadeUp()
    return action
  }

  const ask = (endpoint: typeof deployments.validate | typeof deployments.preview, app: App, yaml: string) =>
    story.call(pathOf(endpoint, { id: child.version.id }), {
      method: 'PUT',
      body: { appMetadata: metadataOf(app, space), yaml },
    })

  return {
    search,
    /** Deploys one app in every way, good and bad; `follow` is called with its release name before anything happens. */
    async sayEverywhere(follow: (releaseName: string) => Promise<unknown>): Promise<{ app: App; told: Said[] }> {
      const app = await story.assign(space, child)
      const releaseName = await story.releaseName(app, 'chatty')
      await follow(releaseName)
      const deployData = (yaml: string) => deployDataOf(app, space, child, yaml)
      const about = { appId: app.id, versionId: child.version.id }
      const told: Said[] = []
      for (const says of ['fail', 'yaml', 'number', 'refused', 'mistyped', '']) {
        if (says !== '') await ask(deployments.validate, app, valuesOf(says))
        const { state } = await run('Deploy', { ...about, releaseName, deployData: deployData(valuesOf(says)) })
        told.push({ says, state })
      }
      const deployed = await story.good<App>(`/portal-api/v2/apps/${app.id}`)
      const { later } = givenSecrets
      for (const says of ['', 'fail', 'refused'])
        await ask(deployments.preview, deployed, valuesOf(says, { code: later }))
      // Its Pod never comes up, and what the cluster says of that names the image.
      const image = `registry.invalid/unpullable/${givenSecrets.password}:1`
      const stuck = await run('Upgrade', { ...about, deployData: deployData(valuesOf('', { image })) })
      told.push({ says: 'in the name of an image', state: stuck.state })
      // How it ends is not what is looked at here: the old Pods may take longer to go than Helm waits.
      await run('Upgrade', { ...about, deployData: deployData(valuesOf('', { code: later })) })
      return { app: deployed, told }
    },

    /** Deploys an app whose chart prints in a hook what it has made up; with how many secrets that were. */
    async sayInHook(says: string): Promise<{ app: App; action: Action; madeUp: number }> {
      const app = await story.assign(space, child)
      const deployData = deployDataOf(app, space, child, valuesOf(says, { hooks: true }))
      const releaseName = await story.releaseName(app, 'made')
      const before = search.learnt.size
      const action = await run('Deploy', { appId: app.id, versionId: child.version.id, releaseName, deployData })
      return { app, action, madeUp: search.learnt.size - before }
    },
  }
}

function clientOf(text: string): CoreV1Api {
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(text)
  return kubeconfig.makeApiClient(CoreV1Api)
}

function valuesOf(says: string, { code = givenSecrets.code, image = 'nginx:1.27', hooks = false } = {}): string {
  return [
    `code: ${JSON.stringify(code)}`,
    `admin: { password: ${JSON.stringify(givenSecrets.password)} }`,
    `key: ${JSON.stringify(givenSecrets.key)}`,
    `says: ${JSON.stringify(says)}`,
    `image: ${JSON.stringify(image)}`,
    'replicas: 1',
    `hooks: ${hooks}`,
  ].join('\n')
}
