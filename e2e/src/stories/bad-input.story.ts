import { expect, test } from '../test.ts'

const helm = '/deployment/v1/helm/deployment'

test.describe('a hostile release name', () => {
  for (const releaseName of [
    '-oyaml',
    '--kubeconfig=/etc/passwd',
    'a b',
    '../up',
    'UPPER',
    '',
    'x'.repeat(54),
    'a;id',
  ]) {
    test(`${JSON.stringify(releaseName.slice(0, 24))} is refused by name`, async ({ script, world }) => {
      const answer = await world.api(`${helm}/actions.Deploy`, {
        token: await script.token(),
        body: { appId: 'a', versionId: 'b', releaseName, deployData: {} },
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ status: 400 })
    })
  }
})

test('nobody is let in without a token, or with one of another realm, or with a forged one', async ({
  world,
  script,
}) => {
  const foreign = await world.tokenFor({ realm: 'master' })
  const [head, , signature] = (await script.token()).split('.')
  const claims = Buffer.from(JSON.stringify({ realm_access: { roles: ['quayside-admin'] }, exp: 4e9 })).toString(
    'base64url',
  )
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
  for (const token of [undefined, 'nonsense', foreign, `${head}.${claims}.${signature}`, unsigned]) {
    const answer = await world.api('/portal-api/v2/apps', { token })
    expect(answer.status).toBe(401)
    expect(JSON.stringify(await answer.json())).not.toContain('Storefront')
  }
})

test('unknown ids are not found, in words', async ({ world, script }) => {
  for (const path of [
    '/portal-api/v2/apps/nope123',
    '/portal-api/v3/spaces/nope123',
    '/catalog/v2/items/nope123',
    '/catalog/v2/versions/nope123',
    '/cluster/v1/clusters/nope123',
    '/deployment/v1/actions/nope123',
    `${helm}/revisions/nope123`,
  ]) {
    const answer = await world.api(path, { token: await script.token() })
    expect.soft(answer.status, path).toBe(404)
    expect.soft(await answer.json(), path).toMatchObject({ status: 404, message: expect.stringMatching(/^This .+\.$/) })
  }
})

test('pages of unknown things say so and lead on', async ({ page }) => {
  for (const path of [
    '/en/apps/nope123',
    '/en/catalog/apps/nope123',
    '/en/spaces/nope123/overview',
    '/en/clusters/nope123',
  ]) {
    await page.goto(path)
    const panel = page.getByRole('main').getByRole('alert')
    await expect(panel).toContainText('Resources Not Found')
    await expect(panel).toContainText('Status code: 404')
  }
  await page.goto('/en/there/is/no/such/page')
  await expect(page.getByRole('heading', { name: 'There is no such page' }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/\/en\/home/)
})

test('values that are no YAML, or far too deep, are refused within seconds', async ({ world, script }) => {
  const item = await script.itemNamed('web-page')
  const { command } = await script.deploy({ chart: 'web-page', name: 'Judged' })
  const { appMetadata } = command.deployData
  for (const yaml of ['a: [', `${'['.repeat(50_000)}`, 'a: &a [*a, *a]', 'replicas: many']) {
    const since = performance.now()
    const answer = await world.api(`${helm}/validate/${item.latestVersionId}`, {
      method: 'PUT',
      token: await script.token(),
      body: { appMetadata, yaml },
    })
    const reply: unknown = await answer.json()
    if (answer.status === 200) expect(reply).toMatchObject({ success: false, lines: expect.any(Array) })
    else expect({ status: answer.status, reply }).toMatchObject({ status: 400, reply: { field: 'yaml' } })
    expect(performance.now() - since).toBeLessThan(10_000)
  }
  expect((await world.api('/readyz')).status).toBe(200)
})
