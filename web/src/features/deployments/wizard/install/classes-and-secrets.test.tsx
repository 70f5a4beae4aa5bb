import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../../../testing/portal.tsx'
import { child, prepared, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { InstallWizard } from './install-wizard.tsx'

const yaml = '# @STORAGECLASS\nclass: ""\n# @REGISTRYSECRET\npull: ""\n'
// The prepared version says where it goes, whatever the app's own record says.
const values = { ...prepared, clusterId: 'c9', values: { ...prepared.values, yaml } }
const classes = '/cluster/v1/clusters/c9/storageClasses'
const secrets = `/cluster/v1/secrets/spaces/${shop.id}/clusters/c9`

async function open(answers: Record<string, unknown>) {
  const calls = serving({
    ...well,
    'GET /deployment/v1/actions/': { id: 'action-1', running: false, state: 'Success', prepared: values },
    ...answers,
  })
  drawInPortal(<InstallWizard child={child} spaceId={shop.id} kind="A" />)
  const next = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.next })
  await waitFor(() => expect(next().disabled).toBe(false))
  await userEvent.click(next())
  await screen.findByText(texts.infrastructure.text)
  return calls
}

const optionsOf = (label: string) =>
  [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text)

it('spaces are asked for in the order in which they were made, and all at once', async () => {
  const calls = await open({})
  const asked = calls.find(({ path }) => path.includes('/v2/spaces'))?.path ?? ''
  expect(decodeURIComponent(asked)).toMatch(/\?sort\.createdAt=ASC;page\.skip=0;page\.limit=1000$/)
})

it('storage classes and registry secrets are those of the cluster that was prepared for', async () => {
  const calls = await open({
    [`GET ${classes}`]: { data: [{ metadata: { name: 'fast' }, isDefault: true }] },
    [`GET ${secrets}`]: { data: [{ name: 'pull-me', registry: 'registry.example.org' }] },
  })
  await waitFor(() => expect(optionsOf('Class')).toContain('fast (default)'))
  await waitFor(() => expect(optionsOf('Pull')).toContain('pull-me · registry.example.org'))
  await userEvent.selectOptions(screen.getByLabelText('Pull'), 'pull-me')
  const judged = () => calls.findLast(({ path }) => path.includes('/validate/'))?.body
  await waitFor(() => expect(judged()).toMatchObject({ yaml: yaml.replace('pull: ""', 'pull: "pull-me"') }), {
    timeout: 5000,
  })
})

it('a cluster that cannot be asked is said, and the field stays', async () => {
  await open({ [`GET ${classes}`]: new Refusal(503, 'away'), [`GET ${secrets}`]: { data: [] } })
  expect(
    await screen.findByText(/could not be asked for its storage classes/, undefined, { timeout: 9000 }),
  ).toBeDefined()
  expect(screen.getByLabelText('Class')).toBeDefined()
}, 15_000)
