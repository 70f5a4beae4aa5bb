import type { Preset } from '@quayside/contract/deployments/presets'
import { longest } from '@quayside/contract/http/limits'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { presetsQuery, useAddPreset, useRenamePreset } from '../../../../../api/deployments/presets.ts'
import { explainError } from '../../../../../lib/api/api-error.ts'
import { usePortal } from '../../../../../lib/portal.tsx'
import { Button, buttonClass, IconButton } from '../../../../../ui/actions/button.tsx'
import { TextField } from '../../../../../ui/forms/text-field.tsx'
import { Popover } from '../../../../../ui/layout/popover.tsx'
import { texts } from '../../../texts.ts'
import styles from './presets-menu.module.css'
import { useRemovePreset } from './use-remove-preset.tsx'

interface Props {
  itemId: string
  versionId: string
  yaml: string
  onApply: (preset: Preset) => void
}

const t = texts.presets

/** Values that somebody of the tenant has kept under a name: to lay over these, and to keep these. */
export function PresetsMenu(props: Props) {
  const remove = useRemovePreset(props.itemId)
  return (
    <Popover
      label={t.title}
      buttonClass={buttonClass('default', true)}
      button={
        <>
          <IconBookmark size={16} stroke={1.75} aria-hidden />
          {t.title}
        </>
      }
    >
      {(close) => <Presets {...props} close={close} onRemove={(preset) => void remove(preset)} />}
    </Popover>
  )
}

interface PresetsProps extends Props {
  close: () => void
  onRemove: (preset: Preset) => void
}

function Presets({ itemId, versionId, yaml, onApply, close, onRemove }: PresetsProps) {
  const { api } = usePortal()
  const found = useQuery(presetsQuery(api, itemId))
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>()
  const keep = useAddPreset(itemId)
  const save = () =>
    keep.mutate(
      { name, catalogVersionId: versionId, yaml },
      {
        onError: setError,
        onSuccess: () => {
          setName('')
          setError(undefined)
        },
      },
    )
  const presets = found.data ?? []
  return (
    <div className={styles.presets}>
      <p className={styles.about}>
        <bdi>{t.about}</bdi>
      </p>
      {found.data?.length === 0 && (
        <p className={styles.none}>
          <bdi>{t.none}</bdi>
        </p>
      )}
      <ul className={styles.list}>
        {presets.map((preset) => (
          <PresetRow
            key={preset.id}
            itemId={itemId}
            preset={preset}
            onApply={() => {
              onApply(preset)
              close()
            }}
            onRemove={() => onRemove(preset)}
            onError={setError}
          />
        ))}
      </ul>
      <form
        className={styles.keep}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t.name}
          value={name}
          maxLength={longest.displayName}
          onChange={(event) => setName(event.target.value)}
          error={messageOf(error ?? found.error)}
        />
        <Button type="submit" small look="primary" busy={keep.isPending} disabled={name.trim() === ''}>
          {t.save}
        </Button>
      </form>
    </div>
  )
}

interface RowProps {
  itemId: string
  preset: Preset
  onApply: () => void
  onRemove: () => void
  onError: (error: unknown) => void
}

function PresetRow({ itemId, preset, onApply, onRemove, onError }: RowProps) {
  const [draft, setDraft] = useState<string>()
  const rename = useRenamePreset(itemId)
  const save = (name: string) =>
    rename.mutate(
      { id: preset.id, name },
      {
        onError,
        onSuccess: () => {
          setDraft(undefined)
          onError(undefined)
        },
      },
    )
  if (draft !== undefined) {
    return (
      <li className={styles.row}>
        <form
          className={styles.keep}
          onSubmit={(event) => {
            event.preventDefault()
            save(draft)
          }}
        >
          <TextField
            label={`${t.rename} ${preset.name}`}
            value={draft}
            maxLength={longest.displayName}
            autoFocus
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" small busy={rename.isPending} disabled={draft.trim() === ''}>
            {t.rename}
          </Button>
        </form>
      </li>
    )
  }
  return (
    <li className={styles.row}>
      <button type="button" className={styles.apply} onClick={onApply} title={`${t.apply} ${preset.name}`}>
        <bdi>{preset.name}</bdi>
        <span className={styles.by}>
          <bdi>{preset.createdBy}</bdi>
        </span>
      </button>
      <IconButton
        icon={IconPencil}
        size={16}
        label={`${t.rename} ${preset.name}`}
        onClick={() => setDraft(preset.name)}
      />
      <IconButton icon={IconTrash} size={16} label={`${t.remove} ${preset.name}`} onClick={onRemove} />
    </li>
  )
}

function messageOf(error: unknown): string | undefined {
  return error === null || error === undefined ? undefined : explainError(error, navigator.onLine).message
}
