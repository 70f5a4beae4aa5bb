import assert from 'node:assert/strict'
import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'

const CSR = 'certificates.k8s.io/v1/certificatesigningrequests'

/** A request for jane of the crew; nobody keeps the key. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHTnlaWGN4RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVN3R1J4aitZc2pSc2xqVW9vcFBiNk5XckhYdHF0K3FHVHZST0RICml2QWpQV0xWUG9Rd3RNcnlDVTQ4di9nZ1VaaWh6RW1ZZFRlUTFXTjlYRGp3K1IrRm9BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUloQU9nNGl1bTg4MUJ1RHBoL1hYRnBSeVVQcTJFNHFta25lYzNZZTRITi9SYk1BaUJoRTJaaQptQnhCTFM2RFl6S1JZNGkzc0N3MjluRFRQQVJGYVQvZFpSQnpoZz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

const csr = (name: string, more: object = {}) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: { request: REQUEST, signerName: 'example.com/none', usages: ['client auth'], ...more },
})

export const certificates = area('certificate requests', (check) => {
  check('a request notes who asks', async (t) => {
    const { spec } = await t.makeWide(CSR, csr(t.unique('csr')))
    assert.ok(spec.username)
    assert.ok(spec.groups.includes('system:authenticated'))
  })
  check('a request is approved by its own door', async (t) => {
    const made = await t.makeWide(CSR, csr(t.unique('csr')))
    const condition = { type: 'Approved', status: 'True', reason: 'Fine', message: 'yes' }
    const body = { ...made, status: { conditions: [condition] } }
    const next = expectCode(await t.put(`${CSR}/${made.metadata.name}/approval`, body), 200)
    assert.equal(next.status.conditions[0].type, 'Approved')
    const again = await t.put(`${CSR}/${made.metadata.name}/approval`, { ...next, status: { conditions: [] } })
    refused(again, 422, 'Invalid', /updates may not remove a condition of type "Approved"/)
  })
  check('a request stays as it was made', async (t) => {
    const made = await t.makeWide(CSR, csr(t.unique('csr')))
    const path = `${CSR}/${made.metadata.name}`
    const answer = await t.patch(path, 'application/merge-patch+json', { spec: { usages: ['server auth'] } })
    if (answer.code === 200) assert.deepEqual(answer.body.spec.usages, ['client auth'])
    else refused(answer, 422, 'Invalid')
  })
  check('a request must be one', async (t) => {
    const answer = await t.post(CSR, csr(t.unique('csr'), { request: Buffer.from('nothing').toString('base64') }))
    refused(answer, 422, 'Invalid', /spec\.request: Invalid value: .*: PEM block type must be CERTIFICATE REQUEST/)
  })
  check('kubectl approves and denies', async (t) => {
    const names = [t.unique('csr'), t.unique('csr')]
    for (const name of names) await t.makeWide(CSR, csr(name))
    const [yes, no] = names
    assert.match((await t.kubectl(`certificate approve ${yes}`)).out, /approved$/m)
    assert.match((await t.kubectl(`certificate deny ${no}`)).out, /denied$/m)
    const { out } = await t.kubectl(`get csr ${yes} ${no}`)
    assert.match(out, new RegExp(`^${yes} .*Approved`, 'm'))
    assert.match(out, new RegExp(`^${no} .*Denied`, 'm'))
  })
})
