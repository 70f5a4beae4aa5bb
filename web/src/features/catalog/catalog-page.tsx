import IconPackages from '@tabler/icons-react/dist/esm/icons/IconPackages.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconWorldDownload from '@tabler/icons-react/dist/esm/icons/IconWorldDownload.mjs'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { useCatalogItems, useCategories, useManufacturers, useSetFeatured } from '../../api/catalog/items.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { DropZone } from '../../ui/forms/drop-zone.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { nameWhatIsCut } from '../../ui/lists/name-what-is-cut.ts'
import { EmptyPage } from '../../ui/lists/paging/empty-page.tsx'
import { UrlPager } from '../../ui/lists/paging/url-pager.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './catalog-card.module.css'
import { CatalogCard } from './catalog-card.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

const types = ['Containerized', 'Legacy', 'SaaS', 'Serverless', 'Flow'].map((value) => ({ value, label: value }))
const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The catalog of apps: search, filters, upload, and Deploy from every card. */
export function CatalogPage() {
  usePageTitle('Catalog apps')
  const [{ q = '', featured, type, category, manufacturer, source, space, skip = '0' }, setUrl] = useUrlState()
  const filters = { q, featured: featured === 'true', type, category, manufacturer, source }
  const items = useCatalogItems(filters, Number(skip) || 0)
  const guard = useGuard()
  const publish = guard('catalog.upload', 'upload packages')
  const setFeatured = useSetFeatured()
  const { uploads, add, dismiss } = useUploads()
  const [dropping, setDropping] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const isFiltered = q !== '' || [featured, type, category, manufacturer, source].some((one) => one !== undefined)
  const upload = (
    <GuardedButton look="primary" icon={IconUpload} {...publish} onClick={() => picker.current?.click()}>
      Upload package
    </GuardedButton>
  )
  return (
    <section
      aria-label="Catalog apps"
      onDragEnter={(event) =>
        publish.allowed === true && event.dataTransfer.types.includes('Files') && setDropping(true)
      }
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setDropping(false)}
    >
      <PageHeader
        title="Catalog apps"
        count={items.data?.page.total}
        search={{ label: 'Name, maker, keyword', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
        filters={<CatalogFilters from={items.data?.data[0]?.source?.name} />}
        actions={upload}
      />
      <PackagePicker picker={picker} onFiles={(files) => void add(files)} />
      {dropping && (
        <DropZone
          label="Drop chart packages here"
          hint=".tgz, up to 10 MiB each"
          accept=".tgz,.tar.gz"
          multiple
          onFiles={(files) => {
            setDropping(false)
            void add(files)
          }}
        />
      )}
      <UploadList uploads={uploads} onDismiss={dismiss} />
      {items.error !== null && items.data === undefined && (
        <ErrorPanel error={items.error} name="Catalog" onRetry={() => void items.refetch()} />
      )}
      {items.data?.data.length === 0 && (
        <EmptyPage page={items.data.page} rows="items">
          {isFiltered ? <NothingMatches /> : <EmptyCatalog upload={upload} />}
        </EmptyPage>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tooltip of a name that is cut is no interaction. */}
      <div className={styles.grid} aria-busy={items.isPending} onMouseOver={nameWhatIsCut} onFocus={nameWhatIsCut}>
        {items.isPending && skeletons.map((key) => <div key={key} className={styles.skeleton} />)}
        {items.data?.data.map((item) => (
          <CatalogCard
            key={item.id}
            item={item}
            deploys={guard('app.deploy', `deploy ${item.displayName}`)}
            features={guard('catalog.feature', `feature ${item.displayName}`)}
            spaceId={space}
            onFeatured={(next) => setFeatured.mutate({ id: item.id, featured: next })}
          />
        ))}
      </div>
      <UrlPager page={items.data?.page} />
    </section>
  )
}

/** The browser's own choice of files, which the upload button opens. */
function PackagePicker({ picker, onFiles }: { picker: Ref<HTMLInputElement>; onFiles: (files: File[]) => void }) {
  return (
    <input
      ref={picker}
      type="file"
      multiple
      accept=".tgz,.tar.gz"
      className="unseen"
      tabIndex={-1}
      aria-label="Chart packages"
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  )
}

/** Filters of the catalog; `from` names the source that the items of the page came from. */
function CatalogFilters({ from = 'this source' }: { from: string | undefined }) {
  const [{ featured, type, category, manufacturer, source }, setUrlState] = useUrlState()
  const setUrl = (change: Parameters<typeof setUrlState>[0]) => setUrlState({ skip: '', ...change })
  const categories = useCategories()
  const manufacturers = useManufacturers()
  return (
    <>
      <ToggleChip
        label="Featured"
        icon={IconStar}
        active={featured === 'true'}
        onToggle={(on) => setUrl({ featured: on ? 'true' : '' })}
      />
      <FilterChip label="Type" value={type} options={types} onChange={(value) => setUrl({ type: value })} />
      <FilterChip
        label="Category"
        value={category}
        options={(categories.data ?? []).map((value) => ({ value, label: value }))}
        onChange={(value) => setUrl({ category: value })}
      />
      <FilterChip
        label="Manufacturer"
        value={manufacturer}
        options={(manufacturers.data ?? []).map(({ name }) => ({ value: name, label: name }))}
        onChange={(value) => setUrl({ manufacturer: value })}
      />
      {source !== undefined && (
        <ToggleChip label={`From ${from}`} icon={IconWorldDownload} active onToggle={() => setUrl({ source: '' })} />
      )}
    </>
  )
}

function NothingMatches() {
  const [, setUrl] = useUrlState()
  return (
    <EmptyState
      title="Nothing in the catalog matches"
      action={
        <Button
          onClick={() =>
            setUrl({ q: '', featured: '', type: '', category: '', manufacturer: '', source: '', skip: '' })
          }
        >
          Clear search and filters
        </Button>
      }
    />
  )
}

function EmptyCatalog({ upload }: { upload: ReactNode }) {
  return (
    <EmptyState
      icon={IconPackages}
      title="The catalog is empty"
      text="Upload a Helm chart package and it can be deployed from here."
      action={upload}
    />
  )
}
