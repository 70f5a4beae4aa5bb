import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../../testing/portal.tsx'
import { app, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { RollbackWizard } from './rollback-wizard.tsx'

const t = texts.selectRevision
const only = {
  revision: 1,
  version: '1.0.0',
  status: 'deployed',
  updatedAt: '2026-01-01T00:00:00.000Z',
  description: 'Install complete',
  installed: true,
  startedBy: null,
}

it('says of each revision what it is, and that there is none to go back to', async () => {
  serving({ ...well, 'GET /deployment/v1/helm/deployment/revisions/': { data: [only] } })
  drawInPortal(<RollbackWizard app={app} revision={undefined} />)
  expect(await screen.findByText(t.none)).toBeDefined()
  const columns = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(columns).toEqual([...t.columns])
  expect(columns).toEqual(['Revision', 'Version', 'Updated', 'Description'])
  expect(screen.queryByRole('button', { name: texts.next })).toBeNull()
})
