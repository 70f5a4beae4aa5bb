import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { UploadReply } from '@quayside/contract/catalog/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { chartPackage } from '../packages.ts'
import { scriptAs } from '../script.ts'
import { expect, test } from '../test.ts'

test('a service-account client made over the API uploads, deploys, waits and deletes', async ({ script, world }) => {
  type Made = { id: string; clientId: string; secret: string; tokenUrl: string }
  const made = await script.call<Made>('/iam/v2/clients', { clientId: 'release-bot', realmRoles: ['quayside-admin'] })
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: made.clientId,
    client_secret: made.secret,
  })
  const answer = await fetch(made.tokenUrl, { method: 'POST', body })
  expect(answer.status).toBe(200)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const bot = scriptAs(world, async () => token)

  const form = new FormData()
  const bytes = new Uint8Array(await chartPackage({ name: 'scripted', version: '1.2.3' }))
  form.set('file', new File([bytes], 'scripted-1.2.3.tgz', { type: 'application/gzip' }))
  const uploaded = await bot.call<UploadReply>('/catalog/v1/upload/uploadasync', form)
  expect(uploaded).toMatchObject({ name: 'scripted', version: '1.2.3', unchanged: false })

  const { app, releaseName } = await bot.deploy({ chart: 'scripted', name: 'By a script' })
  expect(await bot.call(`/portal-api/v2/apps/${app.id}`)).toMatchObject({ displayName: 'By a script', releaseName })
  expect(await bot.remove(app, releaseName)).toMatchObject({ state: 'Success' })
  await expect(bot.call(`/portal-api/v2/apps/${app.id}`)).rejects.toThrow('404')

  await script.call(`/iam/v2/clients/${made.id}`, undefined, 'DELETE')
  expect((await fetch(made.tokenUrl, { method: 'POST', body })).status).toBe(401)
})

test('the lines of docs/scripting.md do what they say', async ({ script, world }, testInfo) => {
  const missing = ['bash', 'curl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined)
  test.skip(missing.length > 0, `${missing.join(', ')} is not installed`)
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/scripting.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)
  const folder = testInfo.outputPath()
  writeFileSync(resolve(folder, 'podinfo-6.14.1.tgz'), await chartPackage({ name: 'podinfo', version: '6.14.1' }))
  // Not the call that waits: the World's identity server answers from this very process.
  const bash = async (lines: string, env: Record<string, string>) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, URL: world.url, ...env } }
    const running = promisify(execFile)('bash', ['-eo', 'pipefail', '-c', lines], options)
    running.child.stdin?.end()
    return (await running).stdout
  }

  const [make = '', ...rest] = blocks.slice(blocks.findIndex((lines) => lines.includes('/iam/v2/clients')))
  const client = JSON.parse(
    await bash(make.replace(/^URL=.*\n/, '').replace('release-bot', 'documented-bot'), { ADMIN: await script.token() }),
  ) as { clientId: string; secret: string }
  const [deletion = ''] = rest.splice(-1)
  const said = await bash(`${rest.join('')}\n{\n${deletion}\n} > deletion.json`, {
    CLIENT: client.clientId,
    SECRET: client.secret,
  })
  expect(said).toContain('"state": "Success"')
  expect(said).toContain('Deploy result of App: Success')
  const action = JSON.parse(readFileSync(resolve(folder, 'action.json'), 'utf8')) as Action
  expect(action).toMatchObject({
    state: 'Success',
    running: false,
    startedBy: expect.stringContaining('documented-bot'),
  })
  const { actionId } = JSON.parse(readFileSync(resolve(folder, 'deletion.json'), 'utf8')) as { actionId: string }
  expect(await script.ended(actionId)).toMatchObject({ state: 'Success' })
})

test('the published API is there to read', async ({ page, world }) => {
  const document = (await (await world.api('/openapi.json')).json()) as { openapi: string; paths: object }
  expect(document.openapi).toMatch(/^3\./)
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/catalog/v1/upload/uploadasync', '/deployment/v1/helm/deployment/actions.Deploy']),
  )
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: /^Quayside/ })).toBeVisible()
})
