import type { Container, Pod } from '../engine/pod-kinds.ts'

export interface SecretWish {
  namespace: string
  name: string
  hosts: string[]
  keys: { ca: string; certificate: string; key: string }
  type: string
}

export interface PatchWish {
  webhooks: string[]
  secret: { namespace: string; name: string }
}

/** A container's arguments as the runtime passes them: `$(NAME)` stands for what the environment says. */
function expandedArguments({ metadata, spec }: Pod, { command, args, env }: Container): string[] {
  const fields: Record<string, string | undefined> = {
    'metadata.namespace': metadata.namespace,
    'metadata.name': metadata.name,
    'spec.serviceAccountName': spec.serviceAccountName,
  }
  const known = new Map(
    (env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ''] ?? '',
    ]),
  )
  return [...(command ?? []), ...(args ?? [])].map((text) =>
    text.replace(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (whole, name: string) => known.get(name) ?? whole),
  )
}

function flagsOf(words: string[]): Map<string, string> {
  const flags = new Map<string, string>()
  for (const [index, word] of words.entries()) {
    const match = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word)
    if (!match?.[1]) continue
    const next = words[index + 1]
    flags.set(match[1], match[2] ?? (next && !next.startsWith('-') ? next : ''))
  }
  return flags
}

/** The Secret that a certificate generator (`create --secret-name …`) would make. */
export function secretWish(pod: Pod, container: Container): SecretWish | undefined {
  const words = expandedArguments(pod, container)
  const flags = flagsOf(words)
  const name = flags.get('secret-name')
  if (!words.includes('create') || !name) return undefined
  return {
    namespace: flags.get('namespace') || flags.get('secret-namespace') || (pod.metadata.namespace ?? 'default'),
    name,
    hosts: (flags.get('host') ?? '').split(',').filter(Boolean),
    keys: {
      ca: flags.get('ca-name') || 'ca',
      certificate: flags.get('cert-name') || 'cert',
      key: flags.get('key-name') || 'key',
    },
    type: flags.get('secret-type') || 'Opaque',
  }
}

/** The webhook configurations that `patch --webhook-name … --secret-name …` would give their CA. */
export function patchWish(pod: Pod, container: Container): PatchWish | undefined {
  const words = expandedArguments(pod, container)
  const flags = flagsOf(words)
  const [name, webhook] = [flags.get('secret-name'), flags.get('webhook-name')]
  if (!words.includes('patch') || !name || !webhook) return undefined
  return {
    webhooks: [webhook],
    secret: { namespace: flags.get('namespace') || (pod.metadata.namespace ?? 'default'), name },
  }
}
