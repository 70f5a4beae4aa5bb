import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { holdNodes } from '../held-nodes.ts'
import { expect, test } from '../test.ts'

test.describe.configure({ mode: 'serial' })

let app: { id: string; namespace: string }
let releaseName: string

test.beforeAll(async ({ script }) => {
  ;({ app, releaseName } = await script.deploy({ chart: 'web-page', version: '1.0.0', name: 'Ledger page' }))
})

test.afterAll(({ putBack }) => putBack())

test('the ledger lists who did what, narrows by the address, and opens an action with its log', async ({
  page,
  script,
}) => {
  await page.goto('/en/cloud-automation')
  const table = page.getByRole('table', { name: 'Actions' })
  const installed = table.getByRole('row').filter({ hasText: 'Ledger page' }).filter({ hasText: 'Install' })
  await expect(installed).toContainText('Success')

  // The choice names everybody who has started an action, not only those on this page.
  await page.goto('/en/cloud-automation?kind=Repair')
  await expect(installed).toHaveCount(0)
  const starter = (await script.call<{ data: string[] }>('/deployment/v1/actions/people')).data[0] ?? ''
  await page.getByRole('button', { name: /^Started by/ }).click()
  await page.getByRole('menuitem', { name: starter, exact: true }).click()
  await expect(page).toHaveURL(/by=/)
  await page.goto('/en/cloud-automation')

  await page.getByRole('button', { name: /^State/ }).click()
  await page.getByRole('menuitem', { name: 'Failed' }).click()
  await expect(page).toHaveURL(/state=Failed/)
  await expect(installed).toHaveCount(0)
  await page.goto(`/en/cloud-automation?app=${app.id}&kind=Deploy`)
  await expect(installed).toHaveCount(1)

  await installed.getByRole('link', { name: 'Install' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Install of Ledger page' })).toBeVisible()
  await expect(page.getByRole('log')).toContainText('Deploy result of App: Success')
  await expect(page.getByText('is deployed as revision 1')).toBeVisible()
  await page.getByRole('link', { name: 'Ledger page' }).click()
  await expect(page).toHaveURL(new RegExp(`/apps/${app.id}`))
  await page.getByRole('link', { name: 'All actions' }).click()
  await expect(page).toHaveURL(new RegExp(`cloud-automation\\?app=${app.id}`))
})

test('a release that somebody left locked says so on the page of its app, and is repaired there', async ({
  page,
  world,
}) => {
  await lock(world.kubeconfig)
  await page.goto(`/en/apps/${app.id}`)
  const alert = page.getByRole('alert').filter({ hasText: 'Helm is probably running' })
  await expect(alert).toContainText('revision 2 is pending-upgrade')
  await expect(alert).toContainText('Somebody outside this portal began it')
  await alert.getByRole('button', { name: 'Repair' }).click()
  const question = page.getByRole('dialog', { name: 'Repair release' })
  await expect(question).toContainText('Nothing that runs is touched')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(alert).toHaveCount(0)

  await page.goto(`/en/cloud-automation?app=${app.id}`)
  const repaired = page.getByRole('row').filter({ hasText: 'Repair' })
  await expect(repaired).toContainText('Success')
})

test('an action that waits for its turn is cancelled from the running actions and from the page of its app', async ({
  page,
  script,
  world,
}) => {
  test.slow()
  const releaseNodes = await holdNodes(world.kubeconfig)
  // The portal works on eight actions at once, four of them of one space, and here no Helm waits beside them: a fifth one
  // waits for its turn.
  const names = Array.from({ length: 4 }, (_, nth) => `In front ${nth + 1}`)
  const started = await Promise.all(names.map((name) => script.startDeploy({ chart: 'web-page', name })))
  try {
    const begun = async ({ actionId }: { actionId: string }) =>
      (await script.call<{ state: string }>(`/deployment/v1/actions/${actionId}`)).state !== 'accepted'
    await expect
      .poll(async () => (await Promise.all(started.map(begun))).every(Boolean), { timeout: 30_000 })
      .toBe(true)
    const remove = () =>
      script.call<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Delete', { app: { id: app.id } })
    const question = page.getByRole('dialog', { name: 'Cancel action' })
    const cancelled = async (actionId: string) => {
      const { state, result } = await script.ended(actionId)
      expect({ state, summary: result?.summary }).toEqual({
        state: 'Failed',
        summary: expect.stringMatching(/^Cancelled by .* before it began$/),
      })
    }

    const first = await remove()
    await page.goto('/en/home')
    await page.getByRole('button', { name: '5 running' }).click()
    await page.getByRole('button', { name: 'Cancel Delete of Ledger page' }).click()
    await expect(question).toContainText('Nothing of it has begun')
    await question.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('button', { name: '4 running' })).toBeVisible()
    await cancelled(first.actionId)

    const second = await remove()
    await page.goto(`/en/apps/${app.id}`)
    const running = page.getByRole('region', { name: 'Running action' })
    await expect(running).toContainText('Delete waits for its turn')
    await running.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Confirm' }).click()
    await expect(running).toHaveCount(0)
    await cancelled(second.actionId)
    await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()

    // Those in front have a Helm each, which is aborted and no longer cancelled.
    await page.goto(`/en/apps/${started[0]?.app.id}`)
    await expect(running).toContainText('Deploy is running')
    await expect(running.getByRole('button', { name: 'Abort' })).toBeVisible()
    await expect(running.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  } finally {
    await releaseNodes()
    await Promise.all(started.map(({ actionId }) => script.ended(actionId)))
  }
})

/** Adds the revision that Helm leaves behind when it is killed during an upgrade: 'pending-upgrade' for ever. */
async function lock(kubeconfig: string): Promise<void> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const { namespace } = app
  const nameOf = (revision: number) => `sh.helm.release.v1.${releaseName}.v${revision}`
  const first = await core.readNamespacedSecret({ namespace, name: nameOf(1) })
  const packed = Buffer.from(Buffer.from(first.data?.release ?? '', 'base64').toString(), 'base64')
  const release = JSON.parse((await promisify(gunzip)(packed)).toString())
  const status = 'pending-upgrade'
  const info = { ...release.info, status, last_deployed: new Date().toISOString(), description: 'Preparing upgrade' }
  const stuck = await promisify(gzip)(JSON.stringify({ ...release, version: 2, info }))
  await core.createNamespacedSecret({
    namespace,
    body: {
      type: 'helm.sh/release.v1',
      metadata: { name: nameOf(2), labels: { owner: 'helm', name: releaseName, version: '2', status } },
      data: { release: Buffer.from(stuck.toString('base64')).toString('base64') },
    },
  })
}
