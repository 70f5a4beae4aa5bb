import {
  type SourceKind,
  type SourceSignIn,
  sourceAddressProblem,
  sourceLimits,
} from '@quayside/contract/catalog/source-rules'
import type { CatalogSource } from '@quayside/contract/catalog/sources'
import { useState } from 'react'
import { useSaveSource, useTestSource } from '../../../api/catalog/sources.ts'
import { ApiError } from '../../../lib/api/api-error.ts'

export interface Typed {
  name: string
  kind: SourceKind
  address: string
  signIn: SourceSignIn
  username: string
  secret: string
  charts: readonly string[]
  versions: string
  prereleases: boolean
  addsToUploads: boolean
  everyHours: number | null
}

const start: Typed = {
  ...{ name: '', kind: 'helm', address: '', signIn: 'none', username: '', secret: '', charts: [], versions: '5' },
  ...{ prereleases: false, addsToUploads: false, everyHours: 24 },
}

const typedOf = ({ name, kind, address, signIn, username, ...source }: CatalogSource): Typed => ({
  ...{ name, kind, address, signIn, username, secret: '', charts: source.charts, versions: String(source.versions) },
  ...{ prereleases: source.prereleases, addsToUploads: source.addsToUploads, everyHours: source.everyHours },
})

const inputOf = ({ secret, versions, charts, everyHours, ...typed }: Typed) => ({
  ...typed,
  ...{ name: typed.name.trim(), address: typed.address.trim(), username: typed.username.trim() },
  ...(secret === '' ? {} : { secret }),
  ...{ charts: [...charts], versions: Number(versions), everyHours: everyHours as 24 | null },
})

/** Fields of a source as somebody types them, and what the server says to them. */
export function useSourceForm(source: CatalogSource | undefined) {
  const [typed, setTyped] = useState<Typed>(source === undefined ? start : typedOf(source))
  const [asked, setAsked] = useState(false)
  const save = useSaveSource(source?.id)
  const test = useTestSource()
  const refused = [save.error, test.error].find((error) => error instanceof ApiError)
  const problems = problemsOf(typed)
  const problemOf = (name: keyof Typed): string | undefined => {
    if (asked && problems[name] !== undefined) return problems[name]
    const field = refused?.field?.split('.')[0]
    return field === name ? refused?.message : undefined
  }
  const explaining = [
    ...['name', 'address', 'versions', 'charts'],
    ...(typed.signIn === 'password' ? ['username'] : []),
    ...(typed.signIn === 'none' ? [] : ['secret']),
  ]
  const isWrong = (names: readonly (keyof Typed)[]) => names.some((name) => problems[name] !== undefined)
  return {
    ...{ typed, save, test, problemOf },
    /** A field that is drawn says it. */
    isExplained: refused?.field !== undefined && explaining.includes(refused.field.split('.')[0] ?? ''),
    change(part: Partial<Typed>) {
      save.reset()
      test.reset()
      setTyped({ ...typed, ...part })
    },
    submit(onSaved: (saved: CatalogSource) => void) {
      setAsked(true)
      if (!isWrong(['name', 'address', 'username', 'versions'])) save.mutate(inputOf(typed), { onSuccess: onSaved })
    },
    preview() {
      setAsked(true)
      if (isWrong(['address', 'username', 'versions'])) return
      const { name: _, ...input } = inputOf(typed)
      test.mutate({ ...input, ...(source === undefined ? {} : { id: source.id }) })
    },
  }
}
export type SourceForm = ReturnType<typeof useSourceForm>

function problemsOf({ name, kind, address, signIn, username, versions }: Typed): Partial<Record<keyof Typed, string>> {
  const problem = sourceAddressProblem(kind, address)
  const wrongAddress = address.trim() === '' ? 'Address required' : problem && `The address ${problem}.`
  const count = Number(versions)
  return {
    ...(name.trim() === '' ? { name: 'Name required' } : {}),
    ...(wrongAddress === undefined ? {} : { address: wrongAddress }),
    ...(signIn === 'password' && username.trim() === '' ? { username: 'User name required' } : {}),
    ...(Number.isInteger(count) && count >= 1 && count <= sourceLimits.versions
      ? {}
      : { versions: `A number from 1 to ${sourceLimits.versions}` }),
  }
}
