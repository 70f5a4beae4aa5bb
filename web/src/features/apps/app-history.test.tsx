import type { App } from '@quayside/contract/apps/endpoints'
import { cleanup, configure, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { AppRevisions } from './app-revisions.tsx'
import { AppValues } from './app-values.tsx'

// The components under test load the diff view lazily, which takes longer than the default timeout.
configure({ asyncUtilTimeout: 8000 })

const helm = '/deployment/v1/helm/deployment'
const app = { id: 'a1', revision: 3, catalogVersionId: 'v1', displayName: 'Tank levels' } as App
const revision = (number: number, startedBy: string | null) => ({
  revision: number,
  version: `1.${number}.0`,
  status: number === 3 ? 'deployed' : 'superseded',
  updatedAt: '2026-01-01T00:00:00.000Z',
  description: 'Upgrade complete',
  installed: number === 3,
  startedBy,
})
const all = [revision(3, 'mara'), revision(2, null), revision(1, 'mara')]
const diff = {
  values: { before: 'tanks: 1\n', after: 'tanks: 2\n' },
  objects: [
    { kind: 'Deployment', name: 'tanks', namespace: 'shop', change: 'changed', before: 'a: 1\n', after: 'a: 2\n' },
  ],
  unchanged: 1,
  problem: null,
}

describe('the revisions of an app', () => {
  it('say who made them, and what lies between the newest two', async () => {
    const calls = serving({ [`GET ${helm}/revisions/`]: { data: all }, [`GET ${helm}/compare/`]: diff })
    drawInPortal(<AppRevisions app={app} />)
    const comparison = within(await screen.findByRole('region', { name: 'Compare revisions' }))
    const rows = within(screen.getByRole('table', { name: 'Revisions' })).getAllByRole('row')
    expect(rows[1]?.textContent).toContain('mara')
    expect(rows[2]?.textContent).toContain('Outside the portal')
    const back = screen.getAllByRole('button', { name: /^Rollback to revision/ })
    expect(back.map((one) => one.getAttribute('aria-label')?.at(-1))).toEqual(['2', '1'])
    expect(await comparison.findByRole('button', { name: 'Objects (1)' })).toBeDefined()
    expect(calls.map(({ path }) => path)).toContain(`${helm}/compare/a1?from=2;to=3`)
  })

  it('can be compared in any two, in their objects too', async () => {
    const calls = serving({ [`GET ${helm}/revisions/`]: { data: all }, [`GET ${helm}/compare/`]: diff })
    drawInPortal(<AppRevisions app={app} />)
    await userEvent.selectOptions(await screen.findByLabelText('Before'), 'Revision 3 (installed) · 1.3.0')
    expect(screen.getByText('Choose two different revisions.')).toBeDefined()
    await userEvent.selectOptions(screen.getByLabelText('After'), 'Revision 1 · 1.1.0')
    await userEvent.click(await screen.findByRole('button', { name: 'Objects (1)' }))
    expect(screen.getByText('1 object stays as it is.')).toBeDefined()
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain(`${helm}/compare/a1?from=3;to=1`))
  })

  it('of which there is one are not compared, and a refusal says why', async () => {
    serving({ [`GET ${helm}/revisions/`]: { data: all.slice(0, 1) } })
    drawInPortal(<AppRevisions app={app} />)
    await screen.findByRole('table', { name: 'Revisions' })
    await screen.findByText('mara')
    expect(screen.queryByRole('region', { name: 'Compare revisions' })).toBeNull()
    cleanup()
    serving({
      [`GET ${helm}/revisions/`]: { data: all },
      [`GET ${helm}/compare/`]: new Refusal(502, 'The cluster could not be reached.'),
    })
    drawInPortal(<AppRevisions app={app} />)
    expect((await screen.findByRole('alert')).textContent).toContain('The cluster could not be reached.')
  })
})

describe('the values of an app', () => {
  const values = { ...revision(3, 'mara'), valuesYaml: 'tanks: 2\npassword: "••••••••"\n', manifest: '', notes: '' }

  it('are shown, and against the defaults of the chart, whose password is no more to be read', async () => {
    serving({
      [`GET ${helm}/revision/`]: values,
      'GET /catalog/v2/versions/v1': { valuesYaml: 'tanks: 1\npassword: changeme\n', valuesSchema: null },
    })
    drawInPortal(<AppValues app={app} />)
    expect((await screen.findByRole('region', { name: 'Values of revision 3' })).textContent).toBe(values.valuesYaml)
    await userEvent.click(screen.getByRole('button', { name: 'Against the defaults' }))
    const text = () => document.querySelector('.cm-content')?.textContent ?? ''
    await waitFor(() => expect(text()).toContain('tanks: 2'))
    expect(text()).toContain('tanks: 1')
    expect(text()).not.toContain('changeme')
  })

  it('that cannot be compared say why', async () => {
    serving({
      [`GET ${helm}/revision/`]: values,
      'GET /catalog/v2/versions/v1': new Refusal(404, 'This version does not exist.'),
    })
    drawInPortal(<AppValues app={app} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Against the defaults' }))
    expect((await screen.findByRole('alert')).textContent).toContain('This version does not exist.')
  })
})
