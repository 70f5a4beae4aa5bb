import { expect, test } from 'vitest'
import { maskSecrets } from './mask-manifest.ts'

test('values of Secrets are gone, wherever kind stands and however they are written', () => {
  const manifest = `---
# Source: web/templates/secret.yaml
apiVersion: v1
data:
  password: aHVzaA==
  "tls.key": |
    line one
    line two
kind: Secret
metadata:
  name: web
---
kind: ConfigMap
data:
  colour: blue
---
kind: Secret
stringData: {token: hush}
type: Opaque
`
  const masked = maskSecrets(manifest)
  expect(masked).not.toMatch(/aHVzaA|line one|line two|hush/)
  expect(masked).toContain('  password: ••••\n  "tls.key": ••••\nkind: Secret')
  expect(masked).toContain('colour: blue')
  expect(masked).toContain('stringData: ••••\ntype: Opaque')
})

test('a manifest without Secrets stays as it is', () => {
  const manifest = '---\nkind: Service\nmetadata:\n  name: web\n'
  expect(maskSecrets(manifest)).toBe(manifest)
})
