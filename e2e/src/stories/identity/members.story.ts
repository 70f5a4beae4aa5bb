import type { Page } from '@playwright/test'
import { browserOf } from '../../browser-of.ts'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { ownSpace } from '../../own-space.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

const membersOf = (space: { id: string }) => `spaces/${space.id}/overview?tab=members`
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

async function add(page: Page, name: string, { role = 'Viewer', ends = 'Never' } = {}) {
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await expect(dialog.getByRole('button', { name: 'Add member' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: /People, groups/ }).fill(name)
  await dialog.getByRole('option', { name: new RegExp(name) }).click()
  await dialog.getByRole('button', { name: /^Role here/ }).click()
  await page.getByRole('option', { name: new RegExp(`^${role}`) }).click()
  await dialog.getByLabel('Ends').selectOption({ label: ends })
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await expect(dialog).toBeHidden()
}

test('a manager adds a person, who sees the space without a reload, asks for more, is granted it, and loses all of it', async ({
  browser,
  world,
  script,
}) => {
  test.setTimeout(150_000)
  const space = await ownSpace(script, 'Corner shop', [{ name: 'Ines Duarte', role: 'manager', owner: true }])
  const { app } = await script.deploy({ chart: 'web-page', name: 'Till', space: 'Corner shop' })
  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'spaces')
  await expect(row(ravi, 'Telemetry')).toBeVisible()
  await expect(row(ravi, 'Corner shop')).toHaveCount(0)

  const ines = await browserOf(browser, world, world.samplePerson('ines'), membersOf(space))
  await expect(row(ines, 'Ines Duarte')).toContainText('owner')
  await add(ines, 'Ravi Sandoval', { ends: 'After 8 hours' })
  await expect(row(ines, 'Ravi Sandoval')).toContainText('ends in 8 h')
  await expect(row(ravi, 'Corner shop')).toBeVisible()

  // A closed button says why by keyboard, and leads to a request.
  await ravi.goto(`/en/apps/${app.id}`)
  const upgrade = ravi.getByRole('button', { name: /^Upgrade/ })
  await expect(upgrade).toHaveAttribute('aria-disabled', 'true')
  await upgrade.press('Enter')
  const why = ravi.getByRole('dialog', { name: 'Why can’t I upgrade Till?' })
  await expect(why).toContainText('You have Viewer directly')
  await expect(why).toContainText('This needs app.manage')
  await expect(why).toContainText('It can be granted by Ines Duarte')
  await why.getByRole('button', { name: 'Ask for access' }).click()
  const ask = ravi.getByRole('dialog', { name: 'Ask for access' })
  await ask.getByLabel(/^Reason/).fill('Hotfix of the till')
  await ask.getByLabel('For how long').selectOption({ label: '1 hour' })
  await ask.getByRole('button', { name: 'Send request' }).click()
  await expect(ask.getByText('Your request was sent')).toBeVisible()
  await ask.getByRole('button', { name: 'Close' }).last().click()

  // A manager of the space is told at once.
  await expect(ines.getByRole('button', { name: /^Notifications: .*1 to answer/ })).toBeVisible()
  const card = ines.getByRole('article', { name: 'Ravi Sandoval asks for Deployer' })
  await expect(card).toContainText('Hotfix of the till')
  await card.getByRole('button', { name: 'Grant for 1 hour' }).click()
  await expect(ines.getByText('Nobody is waiting for an answer.')).toBeVisible()
  await expect(row(ines, 'Ravi Sandoval').filter({ hasText: 'Deployer' })).toBeVisible()
  await expect(ravi.getByRole('button', { name: /^Notifications: .*1 answered/ })).toBeVisible()
  await expect(upgrade).not.toHaveAttribute('aria-disabled', 'true')

  for (const role of ['Deployer', 'Viewer']) {
    await row(ines, 'Ravi Sandoval').filter({ hasText: role }).getByRole('button').click()
    await ines.getByRole('menuitem', { name: 'Remove' }).click()
    await ines.getByRole('button', { name: 'Confirm' }).click()
    await expect(row(ines, 'Ravi Sandoval').filter({ hasText: role })).toHaveCount(0)
  }
  await ravi.goto(`/en/apps/${app.id}`)
  await expect(ravi.getByRole('heading', { name: 'There is nothing here that you can see' })).toBeVisible()
  await ines.getByRole('button', { name: 'History' }).click()
  await expect(row(ines, 'Ravi Sandoval asked to be Deployer')).toContainText('Hotfix of the till')

  await row(ines, 'Ines Duarte')
  await ines.getByRole('button', { name: 'Members', exact: true }).click()
  await ines.getByRole('button', { name: 'Actions for Ines Duarte' }).click()
  await ines.getByRole('menuitem', { name: 'Remove' }).click()
  await ines.getByRole('button', { name: 'Confirm' }).click()
  await expect(ines.getByRole('dialog', { name: 'The member was not removed' })).toContainText(
    'A space needs at least one permanent owner who can sign in.',
  )
  for (const page of [ines, ravi]) await page.context().close()
})

test('two teams in two browsers see nothing of each other', async ({ browser, world, script }) => {
  test.setTimeout(150_000)
  const [shop, field] = [await script.spaceNamed('Storefront'), await script.spaceNamed('Telemetry')]
  const { app } = await script.deploy({ chart: 'web-page', name: 'Cash desk' })
  const { data } = await script.call<{ data: { id: string }[] }>(`/deployment/v1/actions?filters.appId=${app.id}`)
  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'home')
  const nothing = ravi.getByRole('heading', { name: 'There is nothing here that you can see' })
  // The id of the address is repeated; what it stands for is not.
  const unseen = ['Storefront', 'Cash desk', shop.namespace]

  // By address.
  const addresses = [
    `spaces/${shop.id}/overview`,
    membersOf(shop),
    `${membersOf(shop)}&view=who`,
    `${membersOf(shop)}&view=history`,
    `apps/${app.id}`,
    ...['workloads', 'values', 'revisions', 'settings'].map((tab) => `apps/${app.id}?tab=${tab}`),
  ]
  for (const address of addresses) {
    await ravi.goto(`/en/${address}`)
    await expect(nothing, address).toBeVisible()
    for (const word of unseen) await expect.soft(ravi.getByText(word), `${word} at ${address}`).toHaveCount(0)
  }
  await ravi.goto(`/en/cloud-automation/${data[0]?.id}`)
  await expect(ravi.getByText('This action does not exist.')).toBeVisible()
  await expect(ravi.getByText('Cash desk')).toHaveCount(0)

  // By page: lists, counts, filters, searches and dialogs.
  const pages: [address: string, shown: string | RegExp][] = [
    ['home', 'Demo'],
    ['apps', /^Apps/],
    ['apps?q=Cash', /^Apps/],
    [`apps?space=${shop.id}`, /^Apps/],
    ['spaces', /^Spaces/],
    ['spaces?q=Storefront', /^Spaces/],
    ['spaces?tab=requests', /^Requests/],
    ['cloud-automation', /^Cloud automation|^Activity/],
    ['account', /./],
  ]
  for (const [address, heading] of pages) {
    await ravi.goto(`/en/${address}`)
    await expect(ravi.getByRole('heading', { level: 1, name: heading }).first()).toBeAttached()
    await expect(ravi.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
    for (const word of ['Storefront', 'Cash desk'])
      await expect.soft(ravi.getByText(word, { exact: true }), address).toHaveCount(0)
  }
  await ravi.keyboard.press('Control+k')
  await ravi.getByRole('dialog').getByRole('combobox').fill('Cash desk')
  await expect(ravi.getByRole('dialog').getByText('No Match Found!')).toBeVisible()
  await ravi.keyboard.press('Escape')

  // And the other way round.
  const ines = await browserOf(browser, world, world.samplePerson('ines'), `spaces/${field.id}/overview`)
  await expect(ines.getByRole('heading', { name: 'There is nothing here that you can see' })).toBeVisible()
  await ines.goto('/en/spaces')
  await expect(row(ines, 'Storefront')).toBeVisible()
  await expect(row(ines, 'Telemetry')).toHaveCount(0)

  // A refused page opens as soon as somebody was added.
  await ines.goto(`/en/spaces/${field.id}/overview`)
  const message = `${world.url}/en/spaces/${field.id}/overview`
  await expect(ines.getByText('Please add Ines Duarte (ines)')).toContainText(message)
  await ravi.goto(`/en/${membersOf(field)}`)
  await add(ravi, 'Ines Duarte')
  await ines.getByRole('button', { name: 'Try again' }).click()
  await expect(ines.getByRole('heading', { level: 1, name: 'Telemetry' })).toBeVisible()
  await ravi.getByRole('button', { name: 'Actions for Ines Duarte' }).click()
  await ravi.getByRole('menuitem', { name: 'Remove' }).click()
  await ravi.getByRole('button', { name: 'Confirm' }).click()
  await expect(row(ravi, 'Ines Duarte')).toHaveCount(0)
  for (const page of [ines, ravi]) await page.context().close()
})

test('what was granted for a while ends by itself, on the page of who was given it and of who gave it', async ({
  browser,
  world,
  script,
}) => {
  const space = await script.spaceNamed('Storefront')
  const path = `/portal-api/v3/spaces/${space.id}`
  const { data } = await script.call<{ data: { id: string; name: string }[] }>(`${path}/principals?search=Ravi`)
  const id = data.find(({ name }) => name === 'Ravi Sandoval')?.id
  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'spaces')
  const ines = await browserOf(browser, world, world.samplePerson('ines'), membersOf(space))
  await expect(row(ines, 'Ines Duarte')).toBeVisible()
  const expiresAt = new Date(Date.now() + 12_000).toISOString()
  await script.call(`${path}/permissions`, { principal: { type: 'user', id }, role: 'viewer', owner: false, expiresAt })
  await expect(row(ravi, 'Storefront')).toBeVisible({ timeout: 8000 })
  await ines.reload()
  await expect(row(ines, 'Ravi Sandoval')).toContainText('ends in under a minute')
  await expect(row(ravi, 'Storefront')).toHaveCount(0, { timeout: 25_000 })
  await expect(row(ines, 'Ravi Sandoval')).toHaveCount(0, { timeout: 25_000 })
  await ines.getByRole('button', { name: 'History' }).click()
  await expect(row(ines, 'Ravi Sandoval is no longer Viewer: the grant expired')).toContainText('By itself')
  for (const page of [ines, ravi]) await page.context().close()
})

for (const look of looks) {
  test(`members and reasons in ${look.name}`, async ({ browser, world, script }) => {
    test.setTimeout(120_000)
    const space = await script.spaceNamed('Telemetry')
    const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'home')
    const lookAt = async (what: string) => expect.soft(await faultsOf(ravi), what).toEqual([])
    await applyLook(ravi, look)
    await ravi.goto(`/en/${membersOf(space)}`)
    await expect(row(ravi, 'Ravi Sandoval')).toBeVisible()
    await lookAt('members')
    await ravi.getByRole('button', { name: 'Add members' }).click()
    await ravi.getByRole('textbox', { name: /People, groups/ }).fill('hanne')
    await expect(ravi.getByRole('option', { name: /Hanne/ })).toBeVisible()
    await lookAt('adding somebody')
    await ravi.keyboard.press('Escape')
    await ravi.keyboard.press('Escape')
    await ravi.getByRole('button', { name: 'What can I do here' }).click()
    const all = ravi.getByRole('dialog', { name: 'What can I do in Telemetry?' })
    await expect(all.getByText('Assign and deploy apps')).toBeVisible()
    await lookAt('everything that one may do')
    await all.getByRole('button', { name: /^Why not: Deploy where/ }).click()
    await expect(ravi.getByText('It can be granted by')).toBeVisible()
    await lookAt('why not')
    await ravi.goto('/en/users')
    await expect(ravi.getByText('iam-users:access')).toBeVisible()
    await lookAt('a refused page')
    await ravi.context().close()
  })
}
