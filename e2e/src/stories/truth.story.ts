import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { expect, test } from '../test.ts'

const run = promisify(execFile)

/** A program of the PATH, or one of the portal's own. */
function find(program: RegExp, more: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...more]
  for (const folder of folders) {
    try {
      const name = readdirSync(folder).find((entry) => program.test(entry))
      if (name !== undefined) return join(folder, name)
    } catch (error) {
      // A PATH may name folders that are not there.
      if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(error.code))))
        throw error
    }
  }
  return undefined
}

test('helm and kubectl see with the printed kubeconfig what the pages show', async ({ page, script, world }) => {
  const { app, releaseName } = await script.deploy({ chart: 'key-value-store', name: 'Plain truth' })
  await page.goto(`/en/apps/${app.id}?tab=workloads`)
  const rows = page.getByRole('table', { name: 'Pods' }).getByRole('row').filter({ hasText: 'Running' })
  await expect(rows).toHaveCount(1)
  const shown = await rows.getByRole('rowheader').allTextContents()

  const env = { ...process.env, KUBECONFIG: world.kubeconfig, HELM_CACHE_HOME: world.dataDir }
  const helm = find(/^helm(-v4[.\d]*)?$/, [join(world.dataDir, 'portal/bin')])
  expect(helm, 'the portal brings a helm').toBeDefined()
  const { stdout: list } = await run(helm ?? '', ['list', '-A', '-o', 'json'], { env })
  const releases = JSON.parse(list) as {
    name: string
    namespace: string
    status: string
    revision: string
    chart: string
  }[]
  expect(releases.filter(({ namespace }) => namespace === app.namespace)).toContainEqual(
    expect.objectContaining({ name: releaseName, status: 'deployed', revision: '1', chart: 'key-value-store-1.0.0' }),
  )

  const mine = (name: string) => name.startsWith(releaseName)
  const kubectl = find(/^kubectl$/, [])
  const config = new KubeConfig()
  config.loadFromFile(world.kubeconfig)
  const pods = await config.makeApiClient(CoreV1Api).listPodForAllNamespaces()
  expect(pods.items.map(({ metadata }) => metadata?.name ?? '').filter(mine)).toEqual(shown)
  if (kubectl === undefined) return
  const { stdout: table } = await run(kubectl, ['get', 'pods', '-A'], { env })
  const lines = table.split('\n').map((line) => line.split(/ +/))
  expect(lines[0]).toEqual(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', ...(lines[0]?.slice(6) ?? [])])
  const [pod = []] = lines.filter(([, name = '']) => mine(name))
  expect(pod.slice(0, 4)).toEqual([app.namespace, shown[0], '1/1', 'Running'])
})
