import { ChoiceList } from '../ui/forms/choices/choice-list.tsx'
import { ErrorPanel } from '../ui/states/error-panel.tsx'
import { Loading } from '../ui/states/loading.tsx'
import { useSpaceNames } from './spaces.ts'

interface Props {
  chosen: readonly string[]
  most: number
  onChange: (ids: string[]) => void
}

/** Some of the spaces that the person sees. */
export function SpaceChoice({ chosen, most, onChange }: Props) {
  const spaces = useSpaceNames()
  if (spaces.error !== null)
    return <ErrorPanel error={spaces.error} name="Spaces" onRetry={() => void spaces.refetch()} />
  if (spaces.data === undefined) return <Loading />
  return (
    <ChoiceList
      label="Spaces"
      searchLabel="Search spaces"
      noMatch={spaces.data.length === 0 ? 'You cannot see any spaces.' : 'No space matches.'}
      options={spaces.data.map(({ id, displayName, identifier }) => ({
        ...{ id, name: displayName, description: identifier },
      }))}
      chosen={[...chosen]}
      most={most}
      onChange={onChange}
    />
  )
}
