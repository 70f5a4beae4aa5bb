import { longestAddress, longestName } from '@quayside/contract/sidebar/rules'
import { useState } from 'react'
import type { Pinnable } from '../../api/pins.tsx'
import { useSidebar } from '../../api/sidebar.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { type Category, defaultCategory, groupOptions, isComplete, newGroup, type PinForm, refusalOf } from './form.ts'
import { ItemSelect } from './item-select.tsx'
import { pinningText, texts } from './texts.ts'
import { sendOnEnter, TitleField } from './title-field.tsx'
import { useAlert } from './use-alert.ts'
import { useSaveEntry } from './use-save-entry.ts'

const categories = Object.entries(texts.categories).map(([value, label]) => ({ value, label }))

interface Props {
  /** The item that a page wants to pin; left out, category and item are chosen here. */
  item?: Pinnable
  groupId?: string
  onClose: () => void
}

/** The dialog that pins an item or changes a pin. */
export function EntryDialog({ item, groupId, onClose }: Props) {
  const sidebar = useSidebar()
  const { alert, isOpen } = useAlert()
  const [form, setForm] = useState<PinForm>({
    category: item?.kind ?? defaultCategory,
    ...{ name: item?.name ?? '', item: item?.id, link: '', groupId, title: '' },
  })
  const change = (part: Partial<PinForm>) => setForm((before) => ({ ...before, ...part }))
  const save = useSaveEntry((made) => change({ groupId: made }))
  const options = sidebar.data && groupOptions(sidebar.data)
  // Until somebody chooses, it is the first group there is.
  const first = options?.find(({ value }) => value !== newGroup)?.value
  const filled = { ...form, groupId: form.groupId ?? first }
  const submit = () => {
    if (save.isPending) return
    const refusal = refusalOf(filled)
    if (refusal !== undefined) void alert(refusal)
    else save.mutate(filled, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={texts.add}
      submitLabel={texts.confirm}
      onClose={() => !isOpen.current && onClose()}
      onSubmit={submit}
      busy={save.isPending}
      disabled={!isComplete(filled)}
      error={save.error}
      errorName={texts.errorArea}
    >
      {item === undefined ? (
        <Choice form={form} onChange={change} onEnter={submit} />
      ) : (
        <p>
          <bdi>{pinningText(item.name, item.kind)}</bdi>
        </p>
      )}
      <OptionSelect
        label={texts.groupName}
        options={options?.map(({ value, name }) => ({ value, label: name }))}
        value={filled.groupId}
        onChange={(chosen) => change({ groupId: chosen })}
        error={sidebar.data === undefined ? sidebar.error : undefined}
        errorName={texts.groupName}
      />
      {filled.groupId === newGroup && (
        <TitleField
          label={texts.ours.newGroup}
          value={form.title}
          onChange={(title) => change({ title })}
          onEnter={submit}
        />
      )}
    </FormDialog>
  )
}

interface ChoiceProps {
  form: PinForm
  onChange: (part: Partial<PinForm>) => void
  onEnter: () => void
}

/** The fields for the target of a pin: an item of a category, or a link. */
function Choice({ form, onChange, onEnter }: ChoiceProps) {
  const { category, name, link } = form
  const onKeyDown = (event: React.KeyboardEvent) => sendOnEnter(event, onEnter)
  return (
    <>
      <OptionSelect
        label={texts.category}
        options={categories}
        value={category}
        onChange={(next) => onChange({ category: next as Category, item: undefined, name: '', link: '' })}
      />
      {category === 'external' ? (
        <>
          <TextField
            label={texts.label}
            aria-required
            maxLength={longestName}
            value={name}
            onChange={(event) => onChange({ name: event.target.value })}
            onKeyDown={onKeyDown}
          />
          <TextField
            label={texts.url}
            aria-required
            type="url"
            maxLength={longestAddress}
            className="ltr"
            placeholder="https://"
            value={link}
            onChange={(event) => onChange({ link: event.target.value })}
            onKeyDown={onKeyDown}
          />
        </>
      ) : (
        <ItemSelect
          category={category}
          value={form.item}
          onChange={(item) => onChange({ item: item?.id, name: item?.displayName ?? '' })}
        />
      )}
    </>
  )
}
