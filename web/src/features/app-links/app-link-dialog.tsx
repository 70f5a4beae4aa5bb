import type { AppLink } from '@quayside/contract/app-links/endpoints'
import { longestUrl, refusalOfUrl } from '@quayside/contract/app-links/rules'
import { longest } from '@quayside/contract/http/limits'
import { useId, useState } from 'react'
import { useSaveAppLink } from '../../api/app-links.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/actions/button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TagInput } from '../../ui/forms/tag-input.tsx'
import { TextArea, TextField } from '../../ui/forms/text-field.tsx'
import { avatarColor } from '../../ui/marks/derived-color.ts'
import styles from './app-links.module.css'

type Content = Pick<AppLink, 'name' | 'url' | 'description' | 'color' | 'tags'>

const nothing: Content = { name: '', url: '', description: '', color: null, tags: [] }

interface Props {
  /** The link to change, as it is now; left out, a new one is made. */
  link: AppLink | undefined
  onClose: () => void
}

/** Makes a link or changes one. Only what somebody has typed is sent over what another browser may have changed. */
export function AppLinkDialog({ link, onClose }: Props) {
  const [typed, setTyped] = useState<Partial<Content>>({})
  const [asked, setAsked] = useState(false)
  const save = useSaveAppLink(link?.id)
  const shown: Content = { ...(link ?? nothing), ...typed }
  const [name, url] = [shown.name.trim(), shown.url.trim()]
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const isExplained = ['name', 'url', 'description'].some((field) => refused?.field === field)
  const wrongUrl = asked ? wrongIn(url) : undefined

  const change = (part: Partial<Content>) => {
    save.reset()
    setTyped({ ...typed, ...part })
  }
  const submit = () => {
    setAsked(true)
    if (name === '' || wrongIn(url) !== undefined) return
    save.mutate({ ...typed, name, url }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={link === undefined ? 'New app link' : 'Edit app link'}
      submitLabel={link === undefined ? 'Create app link' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={isExplained ? undefined : save.error}
    >
      <NameField
        value={shown.name}
        most={longest.displayName}
        asked={asked}
        error={of('name')}
        onChange={(next) => change({ name: next })}
      />
      <TextField
        label="Address"
        required
        type="url"
        className="ltr"
        placeholder="https://"
        maxLength={longestUrl}
        value={shown.url}
        error={wrongUrl ?? of('url')}
        onChange={(event) => change({ url: event.target.value })}
      />
      <TextArea
        label="Description"
        dir="auto"
        maxLength={longest.description}
        value={shown.description}
        error={of('description')}
        onChange={(event) => change({ description: event.target.value })}
      />
      <TagInput label="Tags" value={shown.tags} onChange={(tags) => change({ tags })} />
      <ColorChoice name={name} value={shown.color} onChange={(color) => change({ color })} />
    </FormDialog>
  )
}

function wrongIn(url: string): string | undefined {
  if (url === '') return 'Address required'
  const refusal = refusalOfUrl(url)
  return refusal && `The address ${refusal}.`
}

interface ColorProps {
  name: string
  value: string | null
  onChange: (color: string | null) => void
}

/** The colour of the mark; until somebody chooses one, it is derived from the name. */
function ColorChoice({ name, value, onChange }: ColorProps) {
  const id = useId()
  const derived = `#${avatarColor(name)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`
  return (
    <span className={styles.color}>
      <label htmlFor={id}>Colour</label>
      <input id={id} type="color" value={value ?? derived} onChange={(event) => onChange(event.target.value)} />
      {value !== null && (
        <Button small onClick={() => onChange(null)}>
          Colour of the name
        </Button>
      )}
    </span>
  )
}
