import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

/** A revoked session must stop working within five seconds. */
const promised = { timeout: 5000 }

test('an idle page goes to the sign-in page when its session was ended elsewhere', async ({ page, world }) => {
  const person = await world.personWith({ realmRoles: ['quayside-viewer'] })
  await page.goto('/en/apps')
  await signIn(page, person)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect.poll(() => page.url()).toContain('/en/apps')
  const directory = await world.directory()
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  await directory.post(`/users/${user?.id}/logout`, {})
  await expect(page.getByLabel('Password')).toBeVisible(promised)

  await signIn(page, person)
  await expect.poll(() => page.url()).toContain('/en/apps')
})

test('an idle page of somebody who was disabled goes to the sign-in page', async ({ page, world }) => {
  const person = await world.personWith({ realmRoles: ['quayside-viewer'] })
  await page.goto('/en/home')
  await signIn(page, person)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const directory = await world.directory()
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  await directory.put(`/users/${user?.id}`, { enabled: false })
  await expect(page.getByLabel('Password')).toBeVisible(promised)
})

test('the navigation shows what a new role opens, without a reload', async ({ page, world }) => {
  const person = await world.personWith({ realmRoles: [] })
  await page.goto('/en/home')
  await signIn(page, person)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Clusters' })).toHaveCount(0)
  const directory = await world.directory()
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  await directory.post(`/users/${user?.id}/role-mappings/realm`, [await directory.get('/roles/quayside-viewer')])
  await expect(navigation.getByRole('link', { name: 'Clusters' })).toBeVisible({ timeout: 8000 })
})
