import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { hostileNames, hostileRow } from '../hostile-names.ts'
import { faultsOf } from '../looks.ts'
import { expect, test } from '../test.ts'

const manyRows = 10_000
/** A list that comes as a whole: enough that only the rows in sight are drawn. */
const wholeRows = 1000

/** Lists of the server by their addresses; each is answered with as many rows as a story wants. */
const listCalls =
  /\/(portal-api\/v2\/(apps|applinks|spaces)|portal-api\/v3\/(access-requests(\/mine)?|role-requests|spaces\/[^/]+\/(permissions|members))|catalog\/v2\/items|catalog\/v2\/versions\/bycatalogitem\/[^/?]+|cluster\/v2\/clusters(\/[^/]+\/events)?|cluster\/v1\/clusters\/[^/]+\/(nodes|nodePools|storageClasses|rules|spaces|kubeconfigs)|cluster\/v1\/apps\/[^/]+\/(pods|deployments|pvcs|services|serviceAccounts)|cluster\/v1\/approvals|deployment\/v1\/actions|iam\/v3\/(users|roles)|iam\/v2\/(clients|groups|account\/sessions))(\?.*)?$/

type Things = { linkId: string; appId: string; spaceId: string; clusterId: string; itemId: string; userId: string }

const lists = (things: Things): Record<string, string> => ({
  apps: 'apps',
  'app links': 'apps?tab=links',
  'workloads of an app': `apps/${things.appId}?tab=workloads`,
  ledger: 'cloud-automation',
  spaces: 'spaces',
  'requests for access': 'spaces?tab=requests',
  'members of a space': `spaces/${things.spaceId}/overview?tab=members`,
  catalog: 'catalog/apps',
  'versions of an item': `catalog/apps/${things.itemId}?tab=versions`,
  clusters: 'clusters',
  nodes: `clusters/${things.clusterId}?tab=nodes`,
  'storage classes': `clusters/${things.clusterId}?tab=storage`,
  'spaces on a cluster': `clusters/${things.clusterId}?tab=spaces`,
  'events of a cluster': `clusters/${things.clusterId}?tab=events`,
  users: 'users',
  'service accounts': 'users/service-accounts',
  groups: 'groups',
  roles: 'roles',
})

let things: Things

test.beforeAll(async ({ script, world }) => {
  const { app } = await script.deploy({ chart: 'web-page', name: 'Listed' })
  const [item, space] = [await script.itemNamed('web-page'), await script.spaceNamed('Storefront')]
  const link = { name: 'Listed', url: 'https://wiki.example.org', description: 'Where it is', tags: ['docs'] }
  const { id: linkId } = await script.call<{ id: string }>('/portal-api/v2/applinks', link)
  await script.call('/iam/v2/clients', { clientId: 'listed-script', realmRoles: ['quayside-viewer'] })
  const { data } = await script.call<{ data: { id: string }[] }>(`/iam/v3/users?search=${world.admin.username}`)
  things = {
    ...{ linkId, appId: app.id, spaceId: space.id, clusterId: space.clusters[0]?.id ?? '' },
    ...{ itemId: item.id, userId: data[0]?.id ?? '' },
  }
})

// A page that is left has no use for answers that are still on their way.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.afterAll(async ({ script, putBack }) => {
  await script.call(`/portal-api/v2/applinks/${things.linkId}`, undefined, 'DELETE')
  await putBack()
})

/** Has every list answered with so many rows, made of the first one that the server has. */
async function answerWith(page: Page, rows: number): Promise<void> {
  await page.route(listCalls, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const body = (await response.json()) as { data?: unknown[]; page?: { total: number; limit: number } }
    if (!Array.isArray(body.data)) return route.fulfill({ response })
    const [first] = body.data
    const drawn = body.page === undefined ? Math.min(rows, wholeRows) : Math.min(rows, body.page.limit, 100)
    const data = first === undefined ? [] : Array.from({ length: drawn }, (_, at) => hostileRow(first, at))
    const paged = body.page && { page: { ...body.page, total: first === undefined ? 0 : rows } }
    return route.fulfill({ response, json: { ...body, data, ...paged } })
  })
}

/** Parts of the page that cannot be seen or reached: a line for each of the first few. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = window.innerWidth
    const faults: string[] = []
    const beyond = document.documentElement.scrollWidth - width
    if (beyond > 0) faults.push(`the page is ${beyond} px wider than its window`)
    const hides = (element: Element) => getComputedStyle(element).overflowX !== 'visible'
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 30)}"`
    for (const element of document.querySelectorAll('main *, header *')) {
      const { left, right, width: own } = element.getBoundingClientRect()
      if (own <= 1 || faults.length > 5 || element.closest('svg, pre, [role=log], [role=tablist], .unseen')) continue
      let box = { left: 0, right: width }
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (!hides(at)) continue
        const around = at.getBoundingClientRect()
        box = { left: Math.max(box.left, around.left), right: Math.min(box.right, around.right) }
      }
      const isCut = left < box.left - 1 || right > box.right + 1
      const isControl = element.matches('button, input, select, [role=button]')
      const isSeen = getComputedStyle(element.parentElement ?? element).textOverflow === 'ellipsis'
      if (isCut && (isControl || ((left < -1 || right > width + 1) && !isInside(element))) && !isSeen)
        faults.push(`${named(element)} from ${Math.round(left)} to ${Math.round(right)} px`)
    }
    function isInside(element: Element): boolean {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) if (hides(at)) return true
      return false
    }
    return faults
  })
}

const looks = [
  { direction: 'ltr', width: 1440 },
  { direction: 'rtl', width: 1440 },
  { direction: 'ltr', width: 390 },
  { direction: 'rtl', width: 390 },
] as const

for (const rows of [0, 1, manyRows]) {
  test(`every list with ${rows} rows keeps within its window in both directions and widths`, async ({ page }) => {
    test.setTimeout(240_000)
    await answerWith(page, rows)
    for (const [name, path] of Object.entries(lists(things))) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`/en/${path}`)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page.getByRole('main').getByText('Loading', { exact: true })).toHaveCount(0)
      for (const { direction, width } of looks) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate((to) => {
          document.documentElement.dir = to
          return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        }, direction)
        expect.soft(await outOfReach(page), `${name} with ${rows} rows, ${direction}, ${width} px`).toEqual([])
      }
    }
  })
}

test('a name that is cut has its whole in a tooltip, all rows are counted, and names are in order', async ({
  page,
}) => {
  await answerWith(page, manyRows)
  await page.goto('/en/apps')
  const table = page.getByRole('table', { name: 'Apps' })
  const long = table.getByRole('link', { name: hostileNames[0] }).first()
  await long.hover()
  await expect(table.getByTitle(hostileNames[0]).first()).toBeVisible()
  await expect(page.getByText(`1–50 of ${manyRows}`)).toBeVisible()
  await expect(table.getByRole('button', { name: /^Actions for/ }).first()).toBeInViewport()
  await page.goto('/en/spaces')
  await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toHaveAttribute('aria-sort', 'ascending')
})

test('columns are chosen, filters are saved under a name, and what matches is exported', async ({ page }) => {
  await page.goto('/en/apps?state=healthy')
  const table = page.getByRole('table', { name: 'Apps' })
  await expect(table.getByRole('rowheader')).toHaveCount(1)
  await table.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: /^Tags/ }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByRole('columnheader', { name: 'Tags' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Fine ones')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.goto('/en/apps?q=nothing')
  await expect(page.getByText('No app matches')).toBeVisible()
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('menuitem', { name: 'Fine ones', exact: true }).click()
  await expect(page).toHaveURL(/\/apps\?state=healthy$/)
  await expect(table.getByRole('columnheader', { name: 'Tags' })).toHaveCount(0)
  expect(await faultsOf(page), 'the list with its tools').toEqual([])

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('apps.csv')
  const text = await readFile(await file.path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(3)
  expect(text).toContain(',Listed,Healthy,Storefront,')
})
