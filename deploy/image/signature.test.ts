import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { layerOf } from './layer.ts'
import { type Descriptor, OciLayout } from './oci-layout.ts'
import { addSignature, publicKeyOf, signingKey } from './signature.ts'

const folder = mkdtempSync(join(tmpdir(), 'layout-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pemOf = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const readBlob = ({ digest }: Descriptor) => readFileSync(join(folder, 'blobs', ...digest.split(':')))

test('the index names the image and a signature of its digest, which the public key verifies', async () => {
  const key = signingKey(pemOf('prime256v1'))
  const layout = new OciLayout(folder)
  const layer = await layerOf([{ path: 'etc/passwd', content: Buffer.from('') }])
  const runtime = { User: '65532', WorkingDir: '/', Entrypoint: [], Env: [], ExposedPorts: {}, Volumes: {}, Labels: {} }
  const image = layout.images([layout.image('amd64', [layer], runtime)])
  layout.name(image, '1.0.0')
  addSignature(layout, image, 'quayside', key)

  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { manifests: Descriptor[] }
  const [named, signature] = index.manifests
  expect(named?.digest).toBe(image.digest)
  expect(signature?.annotations?.['org.opencontainers.image.ref.name']).toBe(`${image.digest.replace(':', '-')}.sig`)
  const manifest = JSON.parse(readBlob(signature as Descriptor).toString()) as { layers: Descriptor[] }
  const [payload] = manifest.layers as [Descriptor]
  const signedBytes = readBlob(payload)
  expect(JSON.parse(signedBytes.toString()).critical.image['docker-manifest-digest']).toBe(image.digest)
  const bytes = Buffer.from(payload.annotations?.['dev.cosignproject.cosign/signature'] ?? '', 'base64')
  expect(verify('sha256', signedBytes, createPublicKey(publicKeyOf(key)), bytes)).toBe(true)
})

test.each([
  ['another curve', pemOf('secp384r1')],
  ['no key', 'key'],
])('%s is refused', (_, pem) => {
  expect(() => signingKey(pem)).toThrow('not a private key on the curve P-256')
})
