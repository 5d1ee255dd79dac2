/** FHIR DSTU2's definitions, out of fhir@3.3.1 by scripts/generate-definitions.ts. */
export const DSTU2_TABLE = `
codes account-status active inactive
codes actionlist cancel poll reprocess status
codes address-type postal physical both
codes address-use home work temp old
codes administrative-gender male female other unknown
codes aggregation-mode contained referenced bundled
codes allergy-intolerance-category food medication environment other
codes allergy-intolerance-criticality CRITL CRITH CRITU
codes allergy-intolerance-status active unconfirmed confirmed inactive resolved refuted entered-in-error
codes allergy-intolerance-type allergy intolerance
codes answer-format boolean decimal integer date dateTime instant time string text url choice open-choice attachment reference quantity
codes appointmentstatus proposed pending booked arrived fulfilled cancelled noshow
codes assert-direction-codes response request
codes assert-operator-codes equals notEquals in notIn greaterThan lessThan empty notEmpty contains notContains
codes assert-response-code-types okay created noContent notModified bad forbidden notFound methodNotAllowed conflict gone preconditionFailed unprocessable
codes audit-event-action C R U D E
codes audit-event-outcome 0 4 8 12
codes binding-strength required extensible preferred example
codes bundle-type document message transaction transaction-response batch batch-response history searchset collection
codes care-plan-activity-status not-started scheduled in-progress on-hold completed cancelled
codes care-plan-relationship includes replaces fulfills
codes care-plan-status proposed draft active completed cancelled
codes claim-type-link institutional oral pharmacy professional vision
codes claim-use-link complete proposed exploratory other
codes clinical-impression-status in-progress completed entered-in-error
codes communication-request-status proposed planned requested received accepted in-progress completed suspended rejected failed
codes communication-status in-progress completed suspended rejected failed
codes composition-attestation-mode personal professional legal official
codes composition-status preliminary final amended entered-in-error
codes concept-map-equivalence equivalent equal wider subsumes narrower specializes inexact unmatched disjoint
codes condition-ver-status provisional differential confirmed refuted entered-in-error unknown
codes conditional-delete-status not-supported single multiple
codes conformance-resource-status draft active retired
codes conformance-statement-kind instance capability requirements
codes constraint-severity error warning
codes contact-point-system phone fax email pager other
codes contact-point-use home work temp old mobile
codes content-type xml json
codes dataelement-stringency comparable fully-specified equivalent convertable scaleable flexible
codes days-of-week mon tue wed thu fri sat sun
codes detectedissue-severity high moderate low
codes device-use-request-priority routine urgent stat asap
codes device-use-request-status proposed planned requested received accepted in-progress completed suspended rejected aborted
codes devicestatus available not-available entered-in-error
codes diagnostic-order-priority routine urgent stat asap
codes diagnostic-order-status proposed draft planned requested received accepted in-progress review completed cancelled suspended rejected failed
codes diagnostic-report-status registered partial final corrected appended cancelled entered-in-error
codes digital-media-type photo video audio
codes document-mode producer consumer
codes document-reference-status current superseded entered-in-error
codes document-relationship-type replaces transforms signs appends
codes encounter-class inpatient outpatient ambulatory emergency home field daytime virtual other
codes encounter-location-status planned active reserved completed
codes encounter-state planned arrived in-progress onleave finished cancelled
codes episode-of-care-status planned waitlist active onhold finished cancelled
codes event-timing HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV
codes extension-context resource datatype mapping extension
codes filter-operator = is-a is-not-a regex in not-in
codes flag-status active inactive entered-in-error
codes goal-status proposed planned accepted rejected in-progress achieved sustaining on-hold cancelled
codes group-type person animal practitioner device medication substance
codes guide-dependency-type reference inclusion
codes guide-page-kind page example list include directory dictionary toc resource
codes guide-resource-purpose example terminology profile extension dictionary logical
codes history-status partial completed entered-in-error health-unknown
codes http-verb GET POST PUT DELETE
codes identifier-use usual official temp secondary
codes identity-assuranceLevel level1 level2 level3 level4
codes instance-availability ONLINE OFFLINE NEARLINE UNAVAILABLE
codes issue-severity fatal error warning information
codes issue-type invalid structure required value invariant security login unknown expired forbidden suppressed processing not-supported duplicate not-found too-long code-invalid extension too-costly business-rule conflict incomplete transient lock-error no-store exception timeout throttled informational
codes link-type replace refer seealso
codes list-mode working snapshot changes
codes list-status current retired entered-in-error
codes location-mode instance kind
codes location-status active suspended inactive
codes measurement-principle other chemical electrical impedance nuclear optical thermal biological mechanical acoustical manual
codes medication-admin-status in-progress on-hold completed entered-in-error stopped
codes medication-dispense-status in-progress on-hold completed entered-in-error stopped
codes medication-order-status active on-hold completed entered-in-error stopped draft
codes medication-statement-status active completed entered-in-error intended
codes message-conformance-event-mode sender receiver
codes message-significance-category Consequence Currency Notification
codes metric-calibration-state not-calibrated calibration-required calibrated unspecified
codes metric-calibration-type unspecified offset gain two-point
codes metric-category measurement setting calculation unspecified
codes metric-color black red green yellow blue magenta cyan white
codes metric-operational-status on off standby
codes name-use usual official temp nickname anonymous old maiden
codes namingsystem-identifier-type oid uuid uri other
codes namingsystem-type codesystem identifier root
codes narrative-status generated extensions additional empty
codes network-type 1 2 3 4 5
codes nutrition-order-status proposed draft planned requested active on-hold completed cancelled
codes observation-relationshiptypes has-member derived-from sequel-to replaces qualified-by interfered-by
codes observation-status registered preliminary final amended cancelled entered-in-error unknown
codes operation-kind operation query
codes operation-parameter-use in out
codes order-status pending review rejected error accepted cancelled replaced aborted completed
codes participantrequired required optional information-only
codes participantstatus accepted declined tentative in-process completed needs-action
codes participationstatus accepted declined tentative needs-action
codes procedure-request-priority routine urgent stat asap
codes procedure-request-status proposed draft requested received accepted in-progress completed suspended rejected aborted
codes procedure-status in-progress aborted completed entered-in-error
codes property-representation xmlAttr
codes provenance-entity-role derivation revision quotation source
codes quantity-comparator < <= >= >
codes questionnaire-answers-status in-progress completed amended
codes questionnaire-status draft published retired
codes reaction-event-certainty unlikely likely confirmed
codes reaction-event-severity mild moderate severe
codes referralstatus draft requested active cancelled accepted rejected completed
codes remittance-outcome complete error
codes resource-types Account AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BodySite Bundle CarePlan Claim ClaimResponse ClinicalImpression Communication CommunicationRequest Composition ConceptMap Condition Conformance Contract Coverage DataElement DetectedIssue Device DeviceComponent DeviceMetric DeviceUseRequest DeviceUseStatement DiagnosticOrder DiagnosticReport DocumentManifest DocumentReference DomainResource EligibilityRequest EligibilityResponse Encounter EnrollmentRequest EnrollmentResponse EpisodeOfCare ExplanationOfBenefit FamilyMemberHistory Flag Goal Group HealthcareService ImagingObjectSelection ImagingStudy Immunization ImmunizationRecommendation ImplementationGuide List Location Media Medication MedicationAdministration MedicationDispense MedicationOrder MedicationStatement MessageHeader NamingSystem NutritionOrder Observation OperationDefinition OperationOutcome Order OrderResponse Organization Parameters Patient PaymentNotice PaymentReconciliation Person Practitioner Procedure ProcedureRequest ProcessRequest ProcessResponse Provenance Questionnaire QuestionnaireResponse ReferralRequest RelatedPerson Resource RiskAssessment Schedule SearchParameter Slot Specimen StructureDefinition Subscription Substance SupplyDelivery SupplyRequest TestScript ValueSet VisionPrescription
codes response-code ok transient-error fatal-error
codes restful-conformance-mode client server
codes search-entry-mode match include outcome
codes search-modifier-code missing exact contains not text in not-in below above type
codes search-param-type number date string token reference composite quantity uri
codes search-xpath-usage normal phonetic nearby distance other
codes slicing-rules closed open openAtEnd
codes slotstatus busy free busy-unavailable busy-tentative
codes specimen-status available unavailable unsatisfactory entered-in-error
codes structure-definition-kind datatype resource logical
codes subscription-channel-type rest-hook websocket email sms message
codes subscription-status requested active error off
codes supplydelivery-status in-progress completed abandoned
codes supplyrequest-status requested completed failed cancelled
codes system-restful-interaction transaction search-system history-system
codes transaction-mode not-supported batch transaction both
codes type-restful-interaction read vread update delete history-instance validate history-type create search-type
codes units-of-time s min h d wk mo a
codes unknown-content-code no extensions elements both
codes versioning-policy no-version versioned versioned-update
codes vision-base-codes up down in out
codes vision-eye-codes right left

any boolean integer decimal base64Binary instant string uri date dateTime time code oid uuid id unsignedInt positiveInt markdown Annotation Attachment Identifier CodeableConcept Coding Quantity Range Period Ratio Reference SampledData Signature HumanName Address ContactPoint Timing Meta

abstract Element
  @id 0..1 id
  extension 0..* Extension

abstract BackboneElement : Element
  modifierExtension 0..* Extension ?!

abstract Resource
  id 0..1 id
  meta 0..1 Meta
  implicitRules 0..1 uri ?!
  language 0..1 code

abstract DomainResource : Resource
  text 0..1 Narrative
  contained 0..* Resource
  extension 0..* Extension
  modifierExtension 0..* Extension ?!

data Address : Element
  use 0..1 code {address-use} ?!
  type 0..1 code {address-type}
  text 0..1 string
  line 0..* string
  city 0..1 string
  district 0..1 string
  state 0..1 string
  postalCode 0..1 string
  country 0..1 string
  period 0..1 Period

data Annotation : Element
  author[x] 0..1 Reference(Practitioner|Patient|RelatedPerson),string
  time 0..1 dateTime
  text 1..1 string

data Attachment : Element
  contentType 0..1 code
  language 0..1 code
  data 0..1 base64Binary
  url 0..1 uri
  size 0..1 unsignedInt
  hash 0..1 base64Binary
  title 0..1 string
  creation 0..1 dateTime

data CodeableConcept : Element
  coding 0..* Coding
  text 0..1 string

data Coding : Element
  system 0..1 uri
  version 0..1 string
  code 0..1 code
  display 0..1 string
  userSelected 0..1 boolean

data ContactPoint : Element
  system 0..1 code {contact-point-system}
  value 0..1 string
  use 0..1 code {contact-point-use} ?!
  rank 0..1 positiveInt
  period 0..1 Period

data ElementDefinition : Element
  path 1..1 string
  representation 0..* code {property-representation}
  name 0..1 string
  label 0..1 string
  code 0..* Coding
  slicing 0..1 ElementDefinition.slicing
  short 0..1 string
  definition 0..1 markdown
  comments 0..1 markdown
  requirements 0..1 markdown
  alias 0..* string
  min 0..1 integer
  max 0..1 string
  base 0..1 ElementDefinition.base
  type 0..* ElementDefinition.type
  nameReference 0..1 string
  defaultValue[x] 0..1 *
  meaningWhenMissing 0..1 markdown
  fixed[x] 0..1 *
  pattern[x] 0..1 *
  example[x] 0..1 *
  minValue[x] 0..1 *
  maxValue[x] 0..1 *
  maxLength 0..1 integer
  condition 0..* id
  constraint 0..* ElementDefinition.constraint
  mustSupport 0..1 boolean
  isModifier 0..1 boolean
  isSummary 0..1 boolean
  binding 0..1 ElementDefinition.binding
  mapping 0..* ElementDefinition.mapping

part ElementDefinition.slicing : Element
  discriminator 0..* string
  description 0..1 string
  ordered 0..1 boolean
  rules 1..1 code {slicing-rules}

part ElementDefinition.base : Element
  path 1..1 string
  min 1..1 integer
  max 1..1 string

part ElementDefinition.type : Element
  code 1..1 code
  profile 0..* uri
  aggregation 0..* code {aggregation-mode}

part ElementDefinition.constraint : Element
  key 1..1 id
  requirements 0..1 string
  severity 1..1 code {constraint-severity}
  human 1..1 string
  xpath 1..1 string

part ElementDefinition.binding : Element
  strength 1..1 code {binding-strength}
  description 0..1 string
  valueSet[x] 0..1 uri,Reference

part ElementDefinition.mapping : Element
  identity 1..1 id
  language 0..1 code
  map 1..1 string

data Extension : Element
  @url 1..1 uri
  value[x] 0..1 *

data HumanName : Element
  use 0..1 code {name-use} ?!
  text 0..1 string
  family 0..* string
  given 0..* string
  prefix 0..* string
  suffix 0..* string
  period 0..1 Period

data Identifier : Element
  use 0..1 code {identifier-use} ?!
  type 0..1 CodeableConcept
  system 0..1 uri
  value 0..1 string
  period 0..1 Period
  assigner 0..1 Reference(Organization)

data Meta : Element
  versionId 0..1 id
  lastUpdated 0..1 instant
  profile 0..* uri
  security 0..* Coding
  tag 0..* Coding

data Narrative : Element
  status 1..1 code {narrative-status}
  div 1..1 xhtml

data Period : Element
  start 0..1 dateTime
  end 0..1 dateTime

data Quantity : Element
  value 0..1 decimal
  comparator 0..1 code {quantity-comparator}
  unit 0..1 string
  system 0..1 uri
  code 0..1 code

data Range : Element
  low 0..1 SimpleQuantity
  high 0..1 SimpleQuantity

data Ratio : Element
  numerator 0..1 Quantity
  denominator 0..1 Quantity

data Reference : Element
  reference 0..1 string
  display 0..1 string

data SampledData : Element
  origin 1..1 SimpleQuantity
  period 1..1 decimal
  factor 0..1 decimal
  lowerLimit 0..1 decimal
  upperLimit 0..1 decimal
  dimensions 1..1 positiveInt
  data 1..1 string

data Signature : Element
  type 1..* Coding
  when 1..1 instant
  who[x] 1..1 uri,Reference(Practitioner|RelatedPerson|Patient|Device|Organization)
  contentType 1..1 code
  blob 1..1 base64Binary

data SimpleQuantity as Quantity : Element
  value 0..1 decimal
  comparator 0..0 code {quantity-comparator}
  unit 0..1 string
  system 0..1 uri
  code 0..1 code

data Timing : Element
  event 0..* dateTime
  repeat 0..1 Timing.repeat
  code 0..1 CodeableConcept

part Timing.repeat : Element
  bounds[x] 0..1 Quantity,Range,Period
  count 0..1 integer
  duration 0..1 decimal
  durationMax 0..1 decimal
  durationUnits 0..1 code {units-of-time}
  frequency 0..1 integer
  frequencyMax 0..1 integer
  period 0..1 decimal
  periodMax 0..1 decimal
  periodUnits 0..1 code {units-of-time}
  when 0..1 code {event-timing}

resource Account : DomainResource
  identifier 0..* Identifier
  name 0..1 string
  type 0..1 CodeableConcept
  status 0..1 code {account-status}
  activePeriod 0..1 Period
  currency 0..1 Coding
  balance 0..1 Quantity
  coveragePeriod 0..1 Period
  subject 0..1 Reference
  owner 0..1 Reference
  description 0..1 string

resource AllergyIntolerance : DomainResource
  identifier 0..* Identifier
  onset 0..1 dateTime
  recordedDate 0..1 dateTime
  recorder 0..1 Reference(Practitioner|Patient)
  patient 1..1 Reference(Patient)
  reporter 0..1 Reference(Patient|RelatedPerson|Practitioner)
  substance 1..1 CodeableConcept
  status 0..1 code {allergy-intolerance-status} ?!
  criticality 0..1 code {allergy-intolerance-criticality}
  type 0..1 code {allergy-intolerance-type}
  category 0..1 code {allergy-intolerance-category}
  lastOccurence 0..1 dateTime
  note 0..1 Annotation
  reaction 0..* AllergyIntolerance.reaction

part AllergyIntolerance.reaction : BackboneElement
  substance 0..1 CodeableConcept
  certainty 0..1 code {reaction-event-certainty}
  manifestation 1..* CodeableConcept
  description 0..1 string
  onset 0..1 dateTime
  severity 0..1 code {reaction-event-severity}
  exposureRoute 0..1 CodeableConcept
  note 0..1 Annotation

resource Appointment : DomainResource
  identifier 0..* Identifier
  status 1..1 code {appointmentstatus} ?!
  type 0..1 CodeableConcept
  reason 0..1 CodeableConcept
  priority 0..1 unsignedInt
  description 0..1 string
  start 0..1 instant
  end 0..1 instant
  minutesDuration 0..1 positiveInt
  slot 0..* Reference(Slot)
  comment 0..1 string
  participant 1..* Appointment.participant

part Appointment.participant : BackboneElement
  type 0..* CodeableConcept
  actor 0..1 Reference(Patient|Practitioner|RelatedPerson|Device|HealthcareService|Location)
  required 0..1 code {participantrequired}
  status 1..1 code {participationstatus}

resource AppointmentResponse : DomainResource
  identifier 0..* Identifier
  appointment 1..1 Reference(Appointment)
  start 0..1 instant
  end 0..1 instant
  participantType 0..* CodeableConcept
  actor 0..1 Reference(Patient|Practitioner|RelatedPerson|Device|HealthcareService|Location)
  participantStatus 1..1 code {participantstatus} ?!
  comment 0..1 string

resource AuditEvent : DomainResource
  event 1..1 AuditEvent.event
  participant 1..* AuditEvent.participant
  source 1..1 AuditEvent.source
  object 0..* AuditEvent.object

part AuditEvent.event : BackboneElement
  type 1..1 Coding
  subtype 0..* Coding
  action 0..1 code {audit-event-action}
  dateTime 1..1 instant
  outcome 0..1 code {audit-event-outcome}
  outcomeDesc 0..1 string
  purposeOfEvent 0..* Coding

part AuditEvent.participant : BackboneElement
  role 0..* CodeableConcept
  reference 0..1 Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  userId 0..1 Identifier
  altId 0..1 string
  name 0..1 string
  requestor 1..1 boolean
  location 0..1 Reference(Location)
  policy 0..* uri
  media 0..1 Coding
  network 0..1 AuditEvent.participant.network
  purposeOfUse 0..* Coding

part AuditEvent.participant.network : BackboneElement
  address 0..1 string
  type 0..1 code {network-type}

part AuditEvent.source : BackboneElement
  site 0..1 string
  identifier 1..1 Identifier
  type 0..* Coding

part AuditEvent.object : BackboneElement
  identifier 0..1 Identifier
  reference 0..1 Reference
  type 0..1 Coding
  role 0..1 Coding
  lifecycle 0..1 Coding
  securityLabel 0..* Coding
  name 0..1 string
  description 0..1 string
  query 0..1 base64Binary
  detail 0..* AuditEvent.object.detail

part AuditEvent.object.detail : BackboneElement
  type 1..1 string
  value 1..1 base64Binary

resource Basic : DomainResource
  identifier 0..* Identifier
  code 1..1 CodeableConcept ?!
  subject 0..1 Reference
  author 0..1 Reference(Practitioner|Patient|RelatedPerson)
  created 0..1 date

resource Binary : Resource
  contentType 1..1 code
  content 1..1 base64Binary

resource BodySite : DomainResource
  patient 1..1 Reference(Patient)
  identifier 0..* Identifier
  code 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  description 0..1 string
  image 0..* Attachment

resource Bundle : Resource
  type 1..1 code {bundle-type}
  total 0..1 unsignedInt
  link 0..* Bundle.link
  entry 0..* Bundle.entry
  signature 0..1 Signature

part Bundle.link : BackboneElement
  relation 1..1 string
  url 1..1 uri

part Bundle.entry : BackboneElement
  link 0..* Bundle.link
  fullUrl 0..1 uri
  resource 0..1 Resource
  search 0..1 Bundle.entry.search
  request 0..1 Bundle.entry.request
  response 0..1 Bundle.entry.response

part Bundle.entry.search : BackboneElement
  mode 0..1 code {search-entry-mode}
  score 0..1 decimal

part Bundle.entry.request : BackboneElement
  method 1..1 code {http-verb}
  url 1..1 uri
  ifNoneMatch 0..1 string
  ifModifiedSince 0..1 instant
  ifMatch 0..1 string
  ifNoneExist 0..1 string

part Bundle.entry.response : BackboneElement
  status 1..1 string
  location 0..1 uri
  etag 0..1 string
  lastModified 0..1 instant

resource CarePlan : DomainResource
  identifier 0..* Identifier
  subject 0..1 Reference(Patient|Group)
  status 1..1 code {care-plan-status} ?!
  context 0..1 Reference(Encounter|EpisodeOfCare)
  period 0..1 Period
  author 0..* Reference(Patient|Practitioner|RelatedPerson|Organization)
  modified 0..1 dateTime
  category 0..* CodeableConcept
  description 0..1 string
  addresses 0..* Reference(Condition)
  support 0..* Reference
  relatedPlan 0..* CarePlan.relatedPlan
  participant 0..* CarePlan.participant
  goal 0..* Reference(Goal)
  activity 0..* CarePlan.activity
  note 0..1 Annotation

part CarePlan.relatedPlan : BackboneElement
  code 0..1 code {care-plan-relationship}
  plan 1..1 Reference(CarePlan)

part CarePlan.participant : BackboneElement
  role 0..1 CodeableConcept
  member 0..1 Reference(Practitioner|RelatedPerson|Patient|Organization)

part CarePlan.activity : BackboneElement
  actionResulting 0..* Reference
  progress 0..* Annotation
  reference 0..1 Reference(Appointment|CommunicationRequest|DeviceUseRequest|DiagnosticOrder|MedicationOrder|NutritionOrder|Order|ProcedureRequest|ProcessRequest|ReferralRequest|SupplyRequest|VisionPrescription)
  detail 0..1 CarePlan.activity.detail

part CarePlan.activity.detail : BackboneElement
  category 0..1 CodeableConcept
  code 0..1 CodeableConcept
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition)
  goal 0..* Reference(Goal)
  status 0..1 code {care-plan-activity-status} ?!
  statusReason 0..1 CodeableConcept
  prohibited 1..1 boolean ?!
  scheduled[x] 0..1 Timing,Period,string
  location 0..1 Reference(Location)
  performer 0..* Reference(Practitioner|Organization|RelatedPerson|Patient)
  product[x] 0..1 CodeableConcept,Reference(Medication|Substance)
  dailyAmount 0..1 SimpleQuantity
  quantity 0..1 SimpleQuantity
  description 0..1 string

resource Claim : DomainResource
  type 1..1 code {claim-type-link}
  identifier 0..* Identifier
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  use 0..1 code {claim-use-link}
  priority 0..1 Coding
  fundsReserve 0..1 Coding
  enterer 0..1 Reference(Practitioner)
  facility 0..1 Reference(Location)
  prescription 0..1 Reference(MedicationOrder|VisionPrescription)
  originalPrescription 0..1 Reference(MedicationOrder)
  payee 0..1 Claim.payee
  referral 0..1 Reference(ReferralRequest)
  diagnosis 0..* Claim.diagnosis
  condition 0..* Coding
  patient 1..1 Reference(Patient)
  coverage 0..* Claim.coverage
  exception 0..* Coding
  school 0..1 string
  accident 0..1 date
  accidentType 0..1 Coding
  interventionException 0..* Coding
  item 0..* Claim.item
  additionalMaterials 0..* Coding
  missingTeeth 0..* Claim.missingTeeth

part Claim.payee : BackboneElement
  type 0..1 Coding
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  person 0..1 Reference(Patient)

part Claim.diagnosis : BackboneElement
  sequence 1..1 positiveInt
  diagnosis 1..1 Coding

part Claim.coverage : BackboneElement
  sequence 1..1 positiveInt
  focal 1..1 boolean
  coverage 1..1 Reference(Coverage)
  businessArrangement 0..1 string
  relationship 1..1 Coding
  preAuthRef 0..* string
  claimResponse 0..1 Reference(ClaimResponse)
  originalRuleset 0..1 Coding

part Claim.item : BackboneElement
  sequence 1..1 positiveInt
  type 1..1 Coding
  provider 0..1 Reference(Practitioner)
  diagnosisLinkId 0..* positiveInt
  service 1..1 Coding
  serviceDate 0..1 date
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Quantity
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Quantity
  udi 0..1 Coding
  bodySite 0..1 Coding
  subSite 0..* Coding
  modifier 0..* Coding
  detail 0..* Claim.item.detail
  prosthesis 0..1 Claim.item.prosthesis

part Claim.item.detail : BackboneElement
  sequence 1..1 positiveInt
  type 1..1 Coding
  service 1..1 Coding
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Quantity
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Quantity
  udi 0..1 Coding
  subDetail 0..* Claim.item.detail.subDetail

part Claim.item.detail.subDetail : BackboneElement
  sequence 1..1 positiveInt
  type 1..1 Coding
  service 1..1 Coding
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Quantity
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Quantity
  udi 0..1 Coding

part Claim.item.prosthesis : BackboneElement
  initial 0..1 boolean
  priorDate 0..1 date
  priorMaterial 0..1 Coding

part Claim.missingTeeth : BackboneElement
  tooth 1..1 Coding
  reason 0..1 Coding
  extractionDate 0..1 date

resource ClaimResponse : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference(Claim)
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  outcome 0..1 code {remittance-outcome}
  disposition 0..1 string
  payeeType 0..1 Coding
  item 0..* ClaimResponse.item
  addItem 0..* ClaimResponse.addItem
  error 0..* ClaimResponse.error
  totalCost 0..1 Quantity
  unallocDeductable 0..1 Quantity
  totalBenefit 0..1 Quantity
  paymentAdjustment 0..1 Quantity
  paymentAdjustmentReason 0..1 Coding
  paymentDate 0..1 date
  paymentAmount 0..1 Quantity
  paymentRef 0..1 Identifier
  reserved 0..1 Coding
  form 0..1 Coding
  note 0..* ClaimResponse.note
  coverage 0..* ClaimResponse.coverage

part ClaimResponse.item : BackboneElement
  sequenceLinkId 1..1 positiveInt
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication
  detail 0..* ClaimResponse.item.detail

part ClaimResponse.item.adjudication : BackboneElement
  code 1..1 Coding
  amount 0..1 Quantity
  value 0..1 decimal

part ClaimResponse.item.detail : BackboneElement
  sequenceLinkId 1..1 positiveInt
  adjudication 0..* ClaimResponse.item.detail.adjudication
  subDetail 0..* ClaimResponse.item.detail.subDetail

part ClaimResponse.item.detail.adjudication : BackboneElement
  code 1..1 Coding
  amount 0..1 Quantity
  value 0..1 decimal

part ClaimResponse.item.detail.subDetail : BackboneElement
  sequenceLinkId 1..1 positiveInt
  adjudication 0..* ClaimResponse.item.detail.subDetail.adjudication

part ClaimResponse.item.detail.subDetail.adjudication : BackboneElement
  code 1..1 Coding
  amount 0..1 Quantity
  value 0..1 decimal

part ClaimResponse.addItem : BackboneElement
  sequenceLinkId 0..* positiveInt
  service 1..1 Coding
  fee 0..1 Quantity
  noteNumberLinkId 0..* positiveInt
  adjudication 0..* ClaimResponse.addItem.adjudication
  detail 0..* ClaimResponse.addItem.detail

part ClaimResponse.addItem.adjudication : BackboneElement
  code 1..1 Coding
  amount 0..1 Quantity
  value 0..1 decimal

part ClaimResponse.addItem.detail : BackboneElement
  service 1..1 Coding
  fee 0..1 Quantity
  adjudication 0..* ClaimResponse.addItem.detail.adjudication

part ClaimResponse.addItem.detail.adjudication : BackboneElement
  code 1..1 Coding
  amount 0..1 Quantity
  value 0..1 decimal

part ClaimResponse.error : BackboneElement
  sequenceLinkId 0..1 positiveInt
  detailSequenceLinkId 0..1 positiveInt
  subdetailSequenceLinkId 0..1 positiveInt
  code 1..1 Coding

part ClaimResponse.note : BackboneElement
  number 0..1 positiveInt
  type 0..1 Coding
  text 0..1 string

part ClaimResponse.coverage : BackboneElement
  sequence 1..1 positiveInt
  focal 1..1 boolean
  coverage 1..1 Reference(Coverage)
  businessArrangement 0..1 string
  relationship 1..1 Coding
  preAuthRef 0..* string
  claimResponse 0..1 Reference(ClaimResponse)
  originalRuleset 0..1 Coding

resource ClinicalImpression : DomainResource
  patient 1..1 Reference(Patient)
  assessor 0..1 Reference(Practitioner)
  status 1..1 code {clinical-impression-status} ?!
  date 0..1 dateTime
  description 0..1 string
  previous 0..1 Reference(ClinicalImpression)
  problem 0..* Reference(Condition|AllergyIntolerance)
  trigger[x] 0..1 CodeableConcept,Reference
  investigations 0..* ClinicalImpression.investigations
  protocol 0..1 uri
  summary 0..1 string
  finding 0..* ClinicalImpression.finding
  resolved 0..* CodeableConcept
  ruledOut 0..* ClinicalImpression.ruledOut
  prognosis 0..1 string
  plan 0..* Reference(CarePlan|Appointment|CommunicationRequest|DeviceUseRequest|DiagnosticOrder|MedicationOrder|NutritionOrder|Order|ProcedureRequest|ProcessRequest|ReferralRequest|SupplyRequest|VisionPrescription)
  action 0..* Reference(ReferralRequest|ProcedureRequest|Procedure|MedicationOrder|DiagnosticOrder|NutritionOrder|SupplyRequest|Appointment)

part ClinicalImpression.investigations : BackboneElement
  code 1..1 CodeableConcept
  item 0..* Reference(Observation|QuestionnaireResponse|FamilyMemberHistory|DiagnosticReport)

part ClinicalImpression.finding : BackboneElement
  item 1..1 CodeableConcept
  cause 0..1 string

part ClinicalImpression.ruledOut : BackboneElement
  item 1..1 CodeableConcept
  reason 0..1 string

resource Communication : DomainResource
  identifier 0..* Identifier
  category 0..1 CodeableConcept
  sender 0..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  recipient 0..* Reference(Device|Organization|Patient|Practitioner|RelatedPerson|Group)
  payload 0..* Communication.payload
  medium 0..* CodeableConcept
  status 0..1 code {communication-status} ?!
  encounter 0..1 Reference(Encounter)
  sent 0..1 dateTime
  received 0..1 dateTime
  reason 0..* CodeableConcept
  subject 0..1 Reference(Patient)
  requestDetail 0..1 Reference(CommunicationRequest)

part Communication.payload : BackboneElement
  content[x] 1..1 string,Attachment,Reference

resource CommunicationRequest : DomainResource
  identifier 0..* Identifier
  category 0..1 CodeableConcept
  sender 0..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  recipient 0..* Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  payload 0..* CommunicationRequest.payload
  medium 0..* CodeableConcept
  requester 0..1 Reference(Practitioner|Patient|RelatedPerson)
  status 0..1 code {communication-request-status} ?!
  encounter 0..1 Reference(Encounter)
  scheduled[x] 0..1 dateTime,Period
  reason 0..* CodeableConcept
  requestedOn 0..1 dateTime
  subject 0..1 Reference(Patient)
  priority 0..1 CodeableConcept

part CommunicationRequest.payload : BackboneElement
  content[x] 1..1 string,Attachment,Reference

resource Composition : DomainResource
  identifier 0..1 Identifier
  date 1..1 dateTime
  type 1..1 CodeableConcept
  class 0..1 CodeableConcept
  title 1..1 string
  status 1..1 code {composition-status} ?!
  confidentiality 0..1 code ?!
  subject 1..1 Reference
  author 1..* Reference(Practitioner|Device|Patient|RelatedPerson)
  attester 0..* Composition.attester
  custodian 0..1 Reference(Organization)
  event 0..* Composition.event
  encounter 0..1 Reference(Encounter)
  section 0..* Composition.section

part Composition.attester : BackboneElement
  mode 1..* code {composition-attestation-mode}
  time 0..1 dateTime
  party 0..1 Reference(Patient|Practitioner|Organization)

part Composition.event : BackboneElement
  code 0..* CodeableConcept
  period 0..1 Period
  detail 0..* Reference

part Composition.section : BackboneElement
  title 0..1 string
  code 0..1 CodeableConcept
  text 0..1 Narrative
  mode 0..1 code {list-mode} ?!
  orderedBy 0..1 CodeableConcept
  entry 0..* Reference
  emptyReason 0..1 CodeableConcept
  section 0..* Composition.section

resource ConceptMap : DomainResource
  url 0..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 0..1 string
  status 1..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* ConceptMap.contact
  date 0..1 dateTime
  description 0..1 string
  useContext 0..* CodeableConcept
  requirements 0..1 string
  copyright 0..1 string
  source[x] 1..1 uri,Reference(ValueSet|StructureDefinition)
  target[x] 1..1 uri,Reference(ValueSet|StructureDefinition)
  element 0..* ConceptMap.element

part ConceptMap.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part ConceptMap.element : BackboneElement
  codeSystem 0..1 uri
  code 0..1 code
  target 0..* ConceptMap.element.target

part ConceptMap.element.target : BackboneElement
  codeSystem 0..1 uri
  code 0..1 code
  equivalence 1..1 code {concept-map-equivalence} ?!
  comments 0..1 string
  dependsOn 0..* ConceptMap.element.target.dependsOn
  product 0..* ConceptMap.element.target.dependsOn

part ConceptMap.element.target.dependsOn : BackboneElement
  element 1..1 uri
  codeSystem 1..1 uri
  code 1..1 string

resource Condition : DomainResource
  identifier 0..* Identifier
  patient 1..1 Reference(Patient)
  encounter 0..1 Reference(Encounter)
  asserter 0..1 Reference(Practitioner|Patient)
  dateRecorded 0..1 date
  code 1..1 CodeableConcept
  category 0..1 CodeableConcept
  clinicalStatus 0..1 code ?!
  verificationStatus 1..1 code {condition-ver-status} ?!
  severity 0..1 CodeableConcept
  onset[x] 0..1 dateTime,Quantity,Period,Range,string
  abatement[x] 0..1 dateTime,Quantity,boolean,Period,Range,string
  stage 0..1 Condition.stage
  evidence 0..* Condition.evidence
  bodySite 0..* CodeableConcept
  notes 0..1 string

part Condition.stage : BackboneElement
  summary 0..1 CodeableConcept
  assessment 0..* Reference(ClinicalImpression|DiagnosticReport|Observation)

part Condition.evidence : BackboneElement
  code 0..1 CodeableConcept
  detail 0..* Reference

resource Conformance : DomainResource
  url 0..1 uri
  version 0..1 string
  name 0..1 string
  status 0..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* Conformance.contact
  date 1..1 dateTime
  description 0..1 string
  requirements 0..1 string
  copyright 0..1 string
  kind 1..1 code {conformance-statement-kind}
  software 0..1 Conformance.software
  implementation 0..1 Conformance.implementation
  fhirVersion 1..1 id
  acceptUnknown 1..1 code {unknown-content-code}
  format 1..* code
  profile 0..* Reference(StructureDefinition)
  rest 0..* Conformance.rest
  messaging 0..* Conformance.messaging
  document 0..* Conformance.document

part Conformance.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part Conformance.software : BackboneElement
  name 1..1 string
  version 0..1 string
  releaseDate 0..1 dateTime

part Conformance.implementation : BackboneElement
  description 1..1 string
  url 0..1 uri

part Conformance.rest : BackboneElement
  mode 1..1 code {restful-conformance-mode}
  documentation 0..1 string
  security 0..1 Conformance.rest.security
  resource 1..* Conformance.rest.resource
  interaction 0..* Conformance.rest.interaction
  transactionMode 0..1 code {transaction-mode}
  searchParam 0..* Conformance.rest.resource.searchParam
  operation 0..* Conformance.rest.operation
  compartment 0..* uri

part Conformance.rest.security : BackboneElement
  cors 0..1 boolean
  service 0..* CodeableConcept
  description 0..1 string
  certificate 0..* Conformance.rest.security.certificate

part Conformance.rest.security.certificate : BackboneElement
  type 0..1 code
  blob 0..1 base64Binary

part Conformance.rest.resource : BackboneElement
  type 1..1 code {resource-types}
  profile 0..1 Reference(StructureDefinition)
  interaction 1..* Conformance.rest.resource.interaction
  versioning 0..1 code {versioning-policy}
  readHistory 0..1 boolean
  updateCreate 0..1 boolean
  conditionalCreate 0..1 boolean
  conditionalUpdate 0..1 boolean
  conditionalDelete 0..1 code {conditional-delete-status}
  searchInclude 0..* string
  searchRevInclude 0..* string
  searchParam 0..* Conformance.rest.resource.searchParam

part Conformance.rest.resource.interaction : BackboneElement
  code 1..1 code {type-restful-interaction}
  documentation 0..1 string

part Conformance.rest.resource.searchParam : BackboneElement
  name 1..1 string
  definition 0..1 uri
  type 1..1 code {search-param-type}
  documentation 0..1 string
  target 0..* code {resource-types}
  modifier 0..* code {search-modifier-code}
  chain 0..* string

part Conformance.rest.interaction : BackboneElement
  code 1..1 code {system-restful-interaction}
  documentation 0..1 string

part Conformance.rest.operation : BackboneElement
  name 1..1 string
  definition 1..1 Reference(OperationDefinition)

part Conformance.messaging : BackboneElement
  endpoint 0..* Conformance.messaging.endpoint
  reliableCache 0..1 unsignedInt
  documentation 0..1 string
  event 1..* Conformance.messaging.event

part Conformance.messaging.endpoint : BackboneElement
  protocol 1..1 Coding
  address 1..1 uri

part Conformance.messaging.event : BackboneElement
  code 1..1 Coding
  category 0..1 code {message-significance-category}
  mode 1..1 code {message-conformance-event-mode}
  focus 1..1 code {resource-types}
  request 1..1 Reference(StructureDefinition)
  response 1..1 Reference(StructureDefinition)
  documentation 0..1 string

part Conformance.document : BackboneElement
  mode 1..1 code {document-mode}
  documentation 0..1 string
  profile 1..1 Reference(StructureDefinition)

resource Contract : DomainResource
  identifier 0..1 Identifier
  issued 0..1 dateTime
  applies 0..1 Period
  subject 0..* Reference
  authority 0..* Reference
  domain 0..* Reference
  type 0..1 CodeableConcept
  subType 0..* CodeableConcept
  action 0..* CodeableConcept
  actionReason 0..* CodeableConcept
  actor 0..* Contract.actor
  valuedItem 0..* Contract.valuedItem
  signer 0..* Contract.signer
  term 0..* Contract.term
  binding[x] 0..1 Attachment,Reference
  friendly 0..* Contract.friendly
  legal 0..* Contract.legal
  rule 0..* Contract.rule

part Contract.actor : BackboneElement
  entity 1..1 Reference
  role 0..* CodeableConcept

part Contract.valuedItem : BackboneElement
  entity[x] 0..1 CodeableConcept,Reference
  identifier 0..1 Identifier
  effectiveTime 0..1 dateTime
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Quantity
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Quantity

part Contract.signer : BackboneElement
  type 1..1 Coding
  party 1..1 Reference
  signature 1..1 string

part Contract.term : BackboneElement
  identifier 0..1 Identifier
  issued 0..1 dateTime
  applies 0..1 Period
  type 0..1 CodeableConcept
  subType 0..1 CodeableConcept
  subject 0..1 Reference
  action 0..* CodeableConcept
  actionReason 0..* CodeableConcept
  actor 0..* Contract.term.actor
  text 0..1 string
  valuedItem 0..* Contract.term.valuedItem
  group 0..* Contract.term

part Contract.term.actor : BackboneElement
  entity 1..1 Reference
  role 0..* CodeableConcept

part Contract.term.valuedItem : BackboneElement
  entity[x] 0..1 CodeableConcept,Reference
  identifier 0..1 Identifier
  effectiveTime 0..1 dateTime
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Quantity
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Quantity

part Contract.friendly : BackboneElement
  content[x] 1..1 Attachment,Reference

part Contract.legal : BackboneElement
  content[x] 1..1 Attachment,Reference

part Contract.rule : BackboneElement
  content[x] 1..1 Attachment,Reference

resource Coverage : DomainResource
  issuer 0..1 Reference(Organization)
  bin 0..1 Identifier
  period 0..1 Period
  type 0..1 Coding
  subscriberId 0..1 Identifier
  identifier 0..* Identifier
  group 0..1 string
  plan 0..1 string
  subPlan 0..1 string
  dependent 0..1 positiveInt
  sequence 0..1 positiveInt
  subscriber 0..1 Reference(Patient) ?!
  network 0..1 Identifier
  contract 0..* Reference(Contract)

resource DataElement : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  status 1..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* DataElement.contact
  date 0..1 dateTime
  useContext 0..* CodeableConcept
  copyright 0..1 string
  stringency 0..1 code {dataelement-stringency}
  mapping 0..* DataElement.mapping
  element 1..* ElementDefinition

part DataElement.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part DataElement.mapping : BackboneElement
  identity 1..1 id
  uri 0..1 uri
  name 0..1 string
  comments 0..1 string

resource DetectedIssue : DomainResource
  patient 0..1 Reference(Patient)
  category 0..1 CodeableConcept
  severity 0..1 code {detectedissue-severity}
  implicated 0..* Reference
  detail 0..1 string
  date 0..1 dateTime
  author 0..1 Reference(Practitioner|Device)
  identifier 0..1 Identifier
  reference 0..1 uri
  mitigation 0..* DetectedIssue.mitigation

part DetectedIssue.mitigation : BackboneElement
  action 1..1 CodeableConcept
  date 0..1 dateTime
  author 0..1 Reference(Practitioner)

resource Device : DomainResource
  identifier 0..* Identifier
  type 1..1 CodeableConcept
  note 0..* Annotation
  status 0..1 code {devicestatus} ?!
  manufacturer 0..1 string
  model 0..1 string
  version 0..1 string
  manufactureDate 0..1 dateTime
  expiry 0..1 dateTime
  udi 0..1 string
  lotNumber 0..1 string
  owner 0..1 Reference(Organization)
  location 0..1 Reference(Location)
  patient 0..1 Reference(Patient)
  contact 0..* ContactPoint
  url 0..1 uri

resource DeviceComponent : DomainResource
  type 1..1 CodeableConcept
  identifier 1..1 Identifier
  lastSystemChange 1..1 instant
  source 0..1 Reference(Device)
  parent 0..1 Reference(DeviceComponent)
  operationalStatus 0..* CodeableConcept
  parameterGroup 0..1 CodeableConcept
  measurementPrinciple 0..1 code {measurement-principle}
  productionSpecification 0..* DeviceComponent.productionSpecification
  languageCode 0..1 CodeableConcept

part DeviceComponent.productionSpecification : BackboneElement
  specType 0..1 CodeableConcept
  componentId 0..1 Identifier
  productionSpec 0..1 string

resource DeviceMetric : DomainResource
  type 1..1 CodeableConcept
  identifier 1..1 Identifier
  unit 0..1 CodeableConcept
  source 0..1 Reference(Device)
  parent 0..1 Reference(DeviceComponent)
  operationalStatus 0..1 code {metric-operational-status}
  color 0..1 code {metric-color}
  category 1..1 code {metric-category}
  measurementPeriod 0..1 Timing
  calibration 0..* DeviceMetric.calibration

part DeviceMetric.calibration : BackboneElement
  type 0..1 code {metric-calibration-type}
  state 0..1 code {metric-calibration-state}
  time 0..1 instant

resource DeviceUseRequest : DomainResource
  bodySite[x] 0..1 CodeableConcept,Reference(BodySite)
  status 0..1 code {device-use-request-status} ?!
  device 1..1 Reference(Device)
  encounter 0..1 Reference(Encounter)
  identifier 0..* Identifier
  indication 0..* CodeableConcept
  notes 0..* string
  prnReason 0..* CodeableConcept
  orderedOn 0..1 dateTime
  recordedOn 0..1 dateTime
  subject 1..1 Reference(Patient)
  timing[x] 0..1 Timing,Period,dateTime
  priority 0..1 code {device-use-request-priority}

resource DeviceUseStatement : DomainResource
  bodySite[x] 0..1 CodeableConcept,Reference(BodySite)
  whenUsed 0..1 Period
  device 1..1 Reference(Device)
  identifier 0..* Identifier
  indication 0..* CodeableConcept
  notes 0..* string
  recordedOn 0..1 dateTime
  subject 1..1 Reference(Patient)
  timing[x] 0..1 Timing,Period,dateTime

resource DiagnosticOrder : DomainResource
  subject 1..1 Reference(Patient|Group|Location|Device)
  orderer 0..1 Reference(Practitioner)
  identifier 0..* Identifier
  encounter 0..1 Reference(Encounter)
  reason 0..* CodeableConcept
  supportingInformation 0..* Reference(Observation|Condition|DocumentReference)
  specimen 0..* Reference(Specimen)
  status 0..1 code {diagnostic-order-status} ?!
  priority 0..1 code {diagnostic-order-priority}
  event 0..* DiagnosticOrder.event
  item 0..* DiagnosticOrder.item
  note 0..* Annotation

part DiagnosticOrder.event : BackboneElement
  status 1..1 code {diagnostic-order-status}
  description 0..1 CodeableConcept
  dateTime 1..1 dateTime
  actor 0..1 Reference(Practitioner|Device)

part DiagnosticOrder.item : BackboneElement
  code 1..1 CodeableConcept
  specimen 0..* Reference(Specimen)
  bodySite 0..1 CodeableConcept
  status 0..1 code {diagnostic-order-status}
  event 0..* DiagnosticOrder.event

resource DiagnosticReport : DomainResource
  identifier 0..* Identifier
  status 1..1 code {diagnostic-report-status} ?!
  category 0..1 CodeableConcept
  code 1..1 CodeableConcept
  subject 1..1 Reference(Patient|Group|Device|Location)
  encounter 0..1 Reference(Encounter)
  effective[x] 1..1 dateTime,Period
  issued 1..1 instant
  performer 1..1 Reference(Practitioner|Organization)
  request 0..* Reference(DiagnosticOrder|ProcedureRequest|ReferralRequest)
  specimen 0..* Reference(Specimen)
  result 0..* Reference(Observation)
  imagingStudy 0..* Reference(ImagingStudy|ImagingObjectSelection)
  image 0..* DiagnosticReport.image
  conclusion 0..1 string
  codedDiagnosis 0..* CodeableConcept
  presentedForm 0..* Attachment

part DiagnosticReport.image : BackboneElement
  comment 0..1 string
  link 1..1 Reference(Media)

resource DocumentManifest : DomainResource
  masterIdentifier 0..1 Identifier
  identifier 0..* Identifier
  subject 0..1 Reference(Patient|Practitioner|Group|Device)
  recipient 0..* Reference(Patient|Practitioner|RelatedPerson|Organization)
  type 0..1 CodeableConcept
  author 0..* Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  created 0..1 dateTime
  source 0..1 uri
  status 1..1 code {document-reference-status} ?!
  description 0..1 string
  content 1..* DocumentManifest.content
  related 0..* DocumentManifest.related

part DocumentManifest.content : BackboneElement
  p[x] 1..1 Attachment,Reference

part DocumentManifest.related : BackboneElement
  identifier 0..1 Identifier
  ref 0..1 Reference

resource DocumentReference : DomainResource
  masterIdentifier 0..1 Identifier
  identifier 0..* Identifier
  subject 0..1 Reference(Patient|Practitioner|Group|Device)
  type 1..1 CodeableConcept
  class 0..1 CodeableConcept
  author 0..* Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  custodian 0..1 Reference(Organization)
  authenticator 0..1 Reference(Practitioner|Organization)
  created 0..1 dateTime
  indexed 1..1 instant
  status 1..1 code {document-reference-status} ?!
  docStatus 0..1 CodeableConcept
  relatesTo 0..* DocumentReference.relatesTo ?!
  description 0..1 string
  securityLabel 0..* CodeableConcept
  content 1..* DocumentReference.content
  context 0..1 DocumentReference.context

part DocumentReference.relatesTo : BackboneElement
  code 1..1 code {document-relationship-type}
  target 1..1 Reference(DocumentReference)

part DocumentReference.content : BackboneElement
  attachment 1..1 Attachment
  format 0..* Coding

part DocumentReference.context : BackboneElement
  encounter 0..1 Reference(Encounter)
  event 0..* CodeableConcept
  period 0..1 Period
  facilityType 0..1 CodeableConcept
  practiceSetting 0..1 CodeableConcept
  sourcePatientInfo 0..1 Reference(Patient)
  related 0..* DocumentReference.context.related

part DocumentReference.context.related : BackboneElement
  identifier 0..1 Identifier
  ref 0..1 Reference

resource EligibilityRequest : DomainResource
  identifier 0..* Identifier
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)

resource EligibilityResponse : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference(EligibilityRequest)
  outcome 0..1 code {remittance-outcome}
  disposition 0..1 string
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)

resource Encounter : DomainResource
  identifier 0..* Identifier
  status 1..1 code {encounter-state} ?!
  statusHistory 0..* Encounter.statusHistory
  class 0..1 code {encounter-class}
  type 0..* CodeableConcept
  priority 0..1 CodeableConcept
  patient 0..1 Reference(Patient)
  episodeOfCare 0..* Reference(EpisodeOfCare)
  incomingReferral 0..* Reference(ReferralRequest)
  participant 0..* Encounter.participant
  appointment 0..1 Reference(Appointment)
  period 0..1 Period
  length 0..1 Quantity
  reason 0..* CodeableConcept
  indication 0..* Reference(Condition|Procedure)
  hospitalization 0..1 Encounter.hospitalization
  location 0..* Encounter.location
  serviceProvider 0..1 Reference(Organization)
  partOf 0..1 Reference(Encounter)

part Encounter.statusHistory : BackboneElement
  status 1..1 code {encounter-state}
  period 1..1 Period

part Encounter.participant : BackboneElement
  type 0..* CodeableConcept
  period 0..1 Period
  individual 0..1 Reference(Practitioner|RelatedPerson)

part Encounter.hospitalization : BackboneElement
  preAdmissionIdentifier 0..1 Identifier
  origin 0..1 Reference(Location)
  admitSource 0..1 CodeableConcept
  admittingDiagnosis 0..* Reference(Condition)
  reAdmission 0..1 CodeableConcept
  dietPreference 0..* CodeableConcept
  specialCourtesy 0..* CodeableConcept
  specialArrangement 0..* CodeableConcept
  destination 0..1 Reference(Location)
  dischargeDisposition 0..1 CodeableConcept
  dischargeDiagnosis 0..* Reference(Condition)

part Encounter.location : BackboneElement
  location 1..1 Reference(Location)
  status 0..1 code {encounter-location-status}
  period 0..1 Period

resource EnrollmentRequest : DomainResource
  identifier 0..* Identifier
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  subject 1..1 Reference(Patient)
  coverage 1..1 Reference(Coverage)
  relationship 1..1 Coding

resource EnrollmentResponse : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference(EnrollmentRequest)
  outcome 0..1 code {remittance-outcome}
  disposition 0..1 string
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)

resource EpisodeOfCare : DomainResource
  identifier 0..* Identifier
  status 1..1 code {episode-of-care-status} ?!
  statusHistory 0..* EpisodeOfCare.statusHistory
  type 0..* CodeableConcept
  condition 0..* Reference(Condition)
  patient 1..1 Reference(Patient)
  managingOrganization 0..1 Reference(Organization)
  period 0..1 Period
  referralRequest 0..* Reference(ReferralRequest)
  careManager 0..1 Reference(Practitioner)
  careTeam 0..* EpisodeOfCare.careTeam

part EpisodeOfCare.statusHistory : BackboneElement
  status 1..1 code {episode-of-care-status}
  period 1..1 Period

part EpisodeOfCare.careTeam : BackboneElement
  role 0..* CodeableConcept
  period 0..1 Period
  member 0..1 Reference(Practitioner|Organization)

resource ExplanationOfBenefit : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference(Claim)
  outcome 0..1 code {remittance-outcome}
  disposition 0..1 string
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)

resource FamilyMemberHistory : DomainResource
  identifier 0..* Identifier
  patient 1..1 Reference(Patient)
  date 0..1 dateTime
  status 1..1 code {history-status} ?!
  name 0..1 string
  relationship 1..1 CodeableConcept
  gender 0..1 code {administrative-gender}
  born[x] 0..1 Period,date,string
  age[x] 0..1 Quantity,Range,string
  deceased[x] 0..1 boolean,Quantity,Range,date,string
  note 0..1 Annotation
  condition 0..* FamilyMemberHistory.condition

part FamilyMemberHistory.condition : BackboneElement
  code 1..1 CodeableConcept
  outcome 0..1 CodeableConcept
  onset[x] 0..1 Quantity,Range,Period,string
  note 0..1 Annotation

resource Flag : DomainResource
  identifier 0..* Identifier
  category 0..1 CodeableConcept
  status 1..1 code {flag-status} ?!
  period 0..1 Period
  subject 1..1 Reference(Patient|Location|Group|Organization|Practitioner)
  encounter 0..1 Reference(Encounter)
  author 0..1 Reference(Device|Organization|Patient|Practitioner)
  code 1..1 CodeableConcept

resource Goal : DomainResource
  identifier 0..* Identifier
  subject 0..1 Reference(Patient|Group|Organization)
  start[x] 0..1 date,CodeableConcept
  target[x] 0..1 date,Quantity
  category 0..* CodeableConcept
  description 1..1 string
  status 1..1 code {goal-status} ?!
  statusDate 0..1 date
  statusReason 0..1 CodeableConcept
  author 0..1 Reference(Patient|Practitioner|RelatedPerson)
  priority 0..1 CodeableConcept
  addresses 0..* Reference(Condition|Observation|MedicationStatement|NutritionOrder|ProcedureRequest|RiskAssessment)
  note 0..* Annotation
  outcome 0..* Goal.outcome

part Goal.outcome : BackboneElement
  result[x] 0..1 CodeableConcept,Reference(Observation)

resource Group : DomainResource
  identifier 0..* Identifier
  type 1..1 code {group-type}
  actual 1..1 boolean
  code 0..1 CodeableConcept
  name 0..1 string
  quantity 0..1 unsignedInt
  characteristic 0..* Group.characteristic
  member 0..* Group.member

part Group.characteristic : BackboneElement
  code 1..1 CodeableConcept
  value[x] 1..1 CodeableConcept,boolean,Quantity,Range
  exclude 1..1 boolean ?!
  period 0..1 Period

part Group.member : BackboneElement
  entity 1..1 Reference(Patient|Practitioner|Device|Medication|Substance)
  period 0..1 Period
  inactive 0..1 boolean

resource HealthcareService : DomainResource
  identifier 0..* Identifier
  providedBy 0..1 Reference(Organization)
  serviceCategory 0..1 CodeableConcept
  serviceType 0..* HealthcareService.serviceType
  location 1..1 Reference(Location)
  serviceName 0..1 string
  comment 0..1 string
  extraDetails 0..1 string
  photo 0..1 Attachment
  telecom 0..* ContactPoint
  coverageArea 0..* Reference(Location)
  serviceProvisionCode 0..* CodeableConcept
  eligibility 0..1 CodeableConcept
  eligibilityNote 0..1 string
  programName 0..* string
  characteristic 0..* CodeableConcept
  referralMethod 0..* CodeableConcept
  publicKey 0..1 string
  appointmentRequired 0..1 boolean
  availableTime 0..* HealthcareService.availableTime
  notAvailable 0..* HealthcareService.notAvailable
  availabilityExceptions 0..1 string

part HealthcareService.serviceType : BackboneElement
  type 1..1 CodeableConcept
  specialty 0..* CodeableConcept

part HealthcareService.availableTime : BackboneElement
  daysOfWeek 0..* code {days-of-week}
  allDay 0..1 boolean
  availableStartTime 0..1 time
  availableEndTime 0..1 time

part HealthcareService.notAvailable : BackboneElement
  description 1..1 string
  during 0..1 Period

resource ImagingObjectSelection : DomainResource
  uid 1..1 oid
  patient 1..1 Reference(Patient)
  title 1..1 CodeableConcept
  description 0..1 string
  author 0..1 Reference(Practitioner|Device|Organization|Patient|RelatedPerson)
  authoringTime 0..1 dateTime
  study 1..* ImagingObjectSelection.study

part ImagingObjectSelection.study : BackboneElement
  uid 1..1 oid
  url 0..1 uri
  imagingStudy 0..1 Reference(ImagingStudy)
  series 1..* ImagingObjectSelection.study.series

part ImagingObjectSelection.study.series : BackboneElement
  uid 0..1 oid
  url 0..1 uri
  instance 1..* ImagingObjectSelection.study.series.instance

part ImagingObjectSelection.study.series.instance : BackboneElement
  sopClass 1..1 oid
  uid 1..1 oid
  url 1..1 uri
  frames 0..* ImagingObjectSelection.study.series.instance.frames

part ImagingObjectSelection.study.series.instance.frames : BackboneElement
  frameNumbers 1..* unsignedInt
  url 1..1 uri

resource ImagingStudy : DomainResource
  started 0..1 dateTime
  patient 1..1 Reference(Patient)
  uid 1..1 oid
  accession 0..1 Identifier
  identifier 0..* Identifier
  order 0..* Reference(DiagnosticOrder)
  modalityList 0..* Coding
  referrer 0..1 Reference(Practitioner)
  availability 0..1 code {instance-availability}
  url 0..1 uri
  numberOfSeries 1..1 unsignedInt
  numberOfInstances 1..1 unsignedInt
  procedure 0..* Reference(Procedure)
  interpreter 0..1 Reference(Practitioner)
  description 0..1 string
  series 0..* ImagingStudy.series

part ImagingStudy.series : BackboneElement
  number 0..1 unsignedInt
  modality 1..1 Coding
  uid 1..1 oid
  description 0..1 string
  numberOfInstances 1..1 unsignedInt
  availability 0..1 code {instance-availability}
  url 0..1 uri
  bodySite 0..1 Coding
  laterality 0..1 Coding
  started 0..1 dateTime
  instance 0..* ImagingStudy.series.instance

part ImagingStudy.series.instance : BackboneElement
  number 0..1 unsignedInt
  uid 1..1 oid
  sopClass 1..1 oid
  type 0..1 string
  title 0..1 string
  content 0..* Attachment

resource Immunization : DomainResource
  identifier 0..* Identifier
  status 1..1 code {medication-admin-status} ?!
  date 0..1 dateTime
  vaccineCode 1..1 CodeableConcept
  patient 1..1 Reference(Patient)
  wasNotGiven 1..1 boolean ?!
  reported 1..1 boolean
  performer 0..1 Reference(Practitioner)
  requester 0..1 Reference(Practitioner)
  encounter 0..1 Reference(Encounter)
  manufacturer 0..1 Reference(Organization)
  location 0..1 Reference(Location)
  lotNumber 0..1 string
  expirationDate 0..1 date
  site 0..1 CodeableConcept
  route 0..1 CodeableConcept
  doseQuantity 0..1 SimpleQuantity
  note 0..* Annotation
  explanation 0..1 Immunization.explanation
  reaction 0..* Immunization.reaction
  vaccinationProtocol 0..* Immunization.vaccinationProtocol

part Immunization.explanation : BackboneElement
  reason 0..* CodeableConcept
  reasonNotGiven 0..* CodeableConcept

part Immunization.reaction : BackboneElement
  date 0..1 dateTime
  detail 0..1 Reference(Observation)
  reported 0..1 boolean

part Immunization.vaccinationProtocol : BackboneElement
  doseSequence 1..1 positiveInt
  description 0..1 string
  authority 0..1 Reference(Organization)
  series 0..1 string
  seriesDoses 0..1 positiveInt
  targetDisease 1..* CodeableConcept
  doseStatus 1..1 CodeableConcept
  doseStatusReason 0..1 CodeableConcept

resource ImmunizationRecommendation : DomainResource
  identifier 0..* Identifier
  patient 1..1 Reference(Patient)
  recommendation 1..* ImmunizationRecommendation.recommendation

part ImmunizationRecommendation.recommendation : BackboneElement
  date 1..1 dateTime
  vaccineCode 1..1 CodeableConcept
  doseNumber 0..1 positiveInt
  forecastStatus 1..1 CodeableConcept
  dateCriterion 0..* ImmunizationRecommendation.recommendation.dateCriterion
  protocol 0..1 ImmunizationRecommendation.recommendation.protocol
  supportingImmunization 0..* Reference(Immunization)
  supportingPatientInformation 0..* Reference(Observation|AllergyIntolerance)

part ImmunizationRecommendation.recommendation.dateCriterion : BackboneElement
  code 1..1 CodeableConcept
  value 1..1 dateTime

part ImmunizationRecommendation.recommendation.protocol : BackboneElement
  doseSequence 0..1 integer
  description 0..1 string
  authority 0..1 Reference(Organization)
  series 0..1 string

resource ImplementationGuide : DomainResource
  url 1..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* ImplementationGuide.contact
  date 0..1 dateTime
  description 0..1 string
  useContext 0..* CodeableConcept
  copyright 0..1 string
  fhirVersion 0..1 id
  dependency 0..* ImplementationGuide.dependency
  package 1..* ImplementationGuide.package
  global 0..* ImplementationGuide.global
  binary 0..* uri
  page 1..1 ImplementationGuide.page

part ImplementationGuide.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part ImplementationGuide.dependency : BackboneElement
  type 1..1 code {guide-dependency-type}
  uri 1..1 uri

part ImplementationGuide.package : BackboneElement
  name 1..1 string
  description 0..1 string
  resource 1..* ImplementationGuide.package.resource

part ImplementationGuide.package.resource : BackboneElement
  purpose 1..1 code {guide-resource-purpose}
  name 0..1 string
  description 0..1 string
  acronym 0..1 string
  source[x] 1..1 uri,Reference
  exampleFor 0..1 Reference(StructureDefinition)

part ImplementationGuide.global : BackboneElement
  type 1..1 code {resource-types}
  profile 1..1 Reference(StructureDefinition)

part ImplementationGuide.page : BackboneElement
  source 1..1 uri
  name 1..1 string
  kind 1..1 code {guide-page-kind}
  type 0..* code {resource-types}
  package 0..* string
  format 0..1 code
  page 0..* ImplementationGuide.page

resource List : DomainResource
  identifier 0..* Identifier
  title 0..1 string
  code 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  source 0..1 Reference(Practitioner|Patient|Device)
  encounter 0..1 Reference(Encounter)
  status 1..1 code {list-status} ?!
  date 0..1 dateTime
  orderedBy 0..1 CodeableConcept
  mode 1..1 code {list-mode} ?!
  note 0..1 string
  entry 0..* List.entry
  emptyReason 0..1 CodeableConcept

part List.entry : BackboneElement
  flag 0..1 CodeableConcept
  deleted 0..1 boolean ?!
  date 0..1 dateTime
  item 1..1 Reference

resource Location : DomainResource
  identifier 0..* Identifier
  status 0..1 code {location-status} ?!
  name 0..1 string
  description 0..1 string
  mode 0..1 code {location-mode} ?!
  type 0..1 CodeableConcept
  telecom 0..* ContactPoint
  address 0..1 Address
  physicalType 0..1 CodeableConcept
  position 0..1 Location.position
  managingOrganization 0..1 Reference(Organization)
  partOf 0..1 Reference(Location)

part Location.position : BackboneElement
  longitude 1..1 decimal
  latitude 1..1 decimal
  altitude 0..1 decimal

resource Media : DomainResource
  type 1..1 code {digital-media-type}
  subtype 0..1 CodeableConcept
  identifier 0..* Identifier
  subject 0..1 Reference(Patient|Practitioner|Group|Device|Specimen)
  operator 0..1 Reference(Practitioner)
  view 0..1 CodeableConcept
  deviceName 0..1 string
  height 0..1 positiveInt
  width 0..1 positiveInt
  frames 0..1 positiveInt
  duration 0..1 unsignedInt
  content 1..1 Attachment

resource Medication : DomainResource
  code 0..1 CodeableConcept
  isBrand 0..1 boolean
  manufacturer 0..1 Reference(Organization)
  product 0..1 Medication.product
  package 0..1 Medication.package

part Medication.product : BackboneElement
  form 0..1 CodeableConcept
  ingredient 0..* Medication.product.ingredient
  batch 0..* Medication.product.batch

part Medication.product.ingredient : BackboneElement
  item 1..1 Reference(Substance|Medication)
  amount 0..1 Ratio

part Medication.product.batch : BackboneElement
  lotNumber 0..1 string
  expirationDate 0..1 dateTime

part Medication.package : BackboneElement
  container 0..1 CodeableConcept
  content 0..* Medication.package.content

part Medication.package.content : BackboneElement
  item 1..1 Reference(Medication)
  amount 0..1 SimpleQuantity

resource MedicationAdministration : DomainResource
  identifier 0..* Identifier
  status 1..1 code {medication-admin-status} ?!
  patient 1..1 Reference(Patient)
  practitioner 0..1 Reference(Practitioner|Patient|RelatedPerson)
  encounter 0..1 Reference(Encounter)
  prescription 0..1 Reference(MedicationOrder)
  wasNotGiven 0..1 boolean ?!
  reasonNotGiven 0..* CodeableConcept
  reasonGiven 0..* CodeableConcept
  effectiveTime[x] 1..1 dateTime,Period
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  device 0..* Reference(Device)
  note 0..1 string
  dosage 0..1 MedicationAdministration.dosage

part MedicationAdministration.dosage : BackboneElement
  text 0..1 string
  site[x] 0..1 CodeableConcept,Reference(BodySite)
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  quantity 0..1 SimpleQuantity
  rate[x] 0..1 Ratio,Range

resource MedicationDispense : DomainResource
  identifier 0..1 Identifier
  status 0..1 code {medication-dispense-status} ?!
  patient 0..1 Reference(Patient)
  dispenser 0..1 Reference(Practitioner)
  authorizingPrescription 0..* Reference(MedicationOrder)
  type 0..1 CodeableConcept
  quantity 0..1 SimpleQuantity
  daysSupply 0..1 SimpleQuantity
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  whenPrepared 0..1 dateTime
  whenHandedOver 0..1 dateTime
  destination 0..1 Reference(Location)
  receiver 0..* Reference(Patient|Practitioner)
  note 0..1 string
  dosageInstruction 0..* MedicationDispense.dosageInstruction
  substitution 0..1 MedicationDispense.substitution

part MedicationDispense.dosageInstruction : BackboneElement
  text 0..1 string
  additionalInstructions 0..1 CodeableConcept
  timing 0..1 Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  site[x] 0..1 CodeableConcept,Reference(BodySite)
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  dose[x] 0..1 Range,SimpleQuantity
  rate[x] 0..1 Ratio,Range
  maxDosePerPeriod 0..1 Ratio

part MedicationDispense.substitution : BackboneElement
  type 1..1 CodeableConcept
  reason 0..* CodeableConcept
  responsibleParty 0..* Reference(Practitioner)

resource MedicationOrder : DomainResource
  identifier 0..* Identifier
  dateWritten 0..1 dateTime
  status 0..1 code {medication-order-status} ?!
  dateEnded 0..1 dateTime
  reasonEnded 0..1 CodeableConcept
  patient 0..1 Reference(Patient)
  prescriber 0..1 Reference(Practitioner)
  encounter 0..1 Reference(Encounter)
  reason[x] 0..1 CodeableConcept,Reference(Condition)
  note 0..1 string
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  dosageInstruction 0..* MedicationOrder.dosageInstruction
  dispenseRequest 0..1 MedicationOrder.dispenseRequest
  substitution 0..1 MedicationOrder.substitution
  priorPrescription 0..1 Reference(MedicationOrder)

part MedicationOrder.dosageInstruction : BackboneElement
  text 0..1 string
  additionalInstructions 0..1 CodeableConcept
  timing 0..1 Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  site[x] 0..1 CodeableConcept,Reference(BodySite)
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  dose[x] 0..1 Range,SimpleQuantity
  rate[x] 0..1 Ratio,Range
  maxDosePerPeriod 0..1 Ratio

part MedicationOrder.dispenseRequest : BackboneElement
  medication[x] 0..1 CodeableConcept,Reference(Medication)
  validityPeriod 0..1 Period
  numberOfRepeatsAllowed 0..1 positiveInt
  quantity 0..1 SimpleQuantity
  expectedSupplyDuration 0..1 Quantity

part MedicationOrder.substitution : BackboneElement
  type 1..1 CodeableConcept
  reason 0..1 CodeableConcept

resource MedicationStatement : DomainResource
  identifier 0..* Identifier
  patient 1..1 Reference(Patient)
  informationSource 0..1 Reference(Patient|Practitioner|RelatedPerson)
  dateAsserted 0..1 dateTime
  status 1..1 code {medication-statement-status} ?!
  wasNotTaken 0..1 boolean ?!
  reasonNotTaken 0..* CodeableConcept
  reasonForUse[x] 0..1 CodeableConcept,Reference(Condition)
  effective[x] 0..1 dateTime,Period
  note 0..1 string
  supportingInformation 0..* Reference
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  dosage 0..* MedicationStatement.dosage

part MedicationStatement.dosage : BackboneElement
  text 0..1 string
  timing 0..1 Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  site[x] 0..1 CodeableConcept,Reference(BodySite)
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  quantity[x] 0..1 SimpleQuantity,Range
  rate[x] 0..1 Ratio,Range
  maxDosePerPeriod 0..1 Ratio

resource MessageHeader : DomainResource
  timestamp 1..1 instant
  event 1..1 Coding ?!
  response 0..1 MessageHeader.response ?!
  source 1..1 MessageHeader.source
  destination 0..* MessageHeader.destination
  enterer 0..1 Reference(Practitioner)
  author 0..1 Reference(Practitioner)
  receiver 0..1 Reference(Practitioner|Organization)
  responsible 0..1 Reference(Practitioner|Organization)
  reason 0..1 CodeableConcept
  data 0..* Reference

part MessageHeader.response : BackboneElement
  identifier 1..1 id
  code 1..1 code {response-code} ?!
  details 0..1 Reference(OperationOutcome)

part MessageHeader.source : BackboneElement
  name 0..1 string
  software 0..1 string
  version 0..1 string
  contact 0..1 ContactPoint
  endpoint 1..1 uri

part MessageHeader.destination : BackboneElement
  name 0..1 string
  target 0..1 Reference(Device)
  endpoint 1..1 uri

resource NamingSystem : DomainResource
  name 1..1 string
  status 1..1 code {conformance-resource-status} ?!
  kind 1..1 code {namingsystem-type}
  publisher 0..1 string
  contact 0..* NamingSystem.contact
  responsible 0..1 string
  date 1..1 dateTime
  type 0..1 CodeableConcept
  description 0..1 string
  useContext 0..* CodeableConcept
  usage 0..1 string
  uniqueId 1..* NamingSystem.uniqueId
  replacedBy 0..1 Reference(NamingSystem)

part NamingSystem.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part NamingSystem.uniqueId : BackboneElement
  type 1..1 code {namingsystem-identifier-type}
  value 1..1 string
  preferred 0..1 boolean
  period 0..1 Period

resource NutritionOrder : DomainResource
  patient 1..1 Reference(Patient)
  orderer 0..1 Reference(Practitioner)
  identifier 0..* Identifier
  encounter 0..1 Reference(Encounter)
  dateTime 1..1 dateTime
  status 0..1 code {nutrition-order-status} ?!
  allergyIntolerance 0..* Reference(AllergyIntolerance)
  foodPreferenceModifier 0..* CodeableConcept
  excludeFoodModifier 0..* CodeableConcept
  oralDiet 0..1 NutritionOrder.oralDiet
  supplement 0..* NutritionOrder.supplement
  enteralFormula 0..1 NutritionOrder.enteralFormula

part NutritionOrder.oralDiet : BackboneElement
  type 0..* CodeableConcept
  schedule 0..* Timing
  nutrient 0..* NutritionOrder.oralDiet.nutrient
  texture 0..* NutritionOrder.oralDiet.texture
  fluidConsistencyType 0..* CodeableConcept
  instruction 0..1 string

part NutritionOrder.oralDiet.nutrient : BackboneElement
  modifier 0..1 CodeableConcept
  amount 0..1 SimpleQuantity

part NutritionOrder.oralDiet.texture : BackboneElement
  modifier 0..1 CodeableConcept
  foodType 0..1 CodeableConcept

part NutritionOrder.supplement : BackboneElement
  type 0..1 CodeableConcept
  productName 0..1 string
  schedule 0..* Timing
  quantity 0..1 SimpleQuantity
  instruction 0..1 string

part NutritionOrder.enteralFormula : BackboneElement
  baseFormulaType 0..1 CodeableConcept
  baseFormulaProductName 0..1 string
  additiveType 0..1 CodeableConcept
  additiveProductName 0..1 string
  caloricDensity 0..1 SimpleQuantity
  routeofAdministration 0..1 CodeableConcept
  administration 0..* NutritionOrder.enteralFormula.administration
  maxVolumeToDeliver 0..1 SimpleQuantity
  administrationInstruction 0..1 string

part NutritionOrder.enteralFormula.administration : BackboneElement
  schedule 0..1 Timing
  quantity 0..1 SimpleQuantity
  rate[x] 0..1 SimpleQuantity,Ratio

resource Observation : DomainResource
  identifier 0..* Identifier
  status 1..1 code {observation-status} ?!
  category 0..1 CodeableConcept
  code 1..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  encounter 0..1 Reference(Encounter)
  effective[x] 0..1 dateTime,Period
  issued 0..1 instant
  performer 0..* Reference(Practitioner|Organization|Patient|RelatedPerson)
  value[x] 0..1 Quantity,CodeableConcept,string,Range,Ratio,SampledData,Attachment,time,dateTime,Period
  dataAbsentReason 0..1 CodeableConcept
  interpretation 0..1 CodeableConcept
  comments 0..1 string
  bodySite 0..1 CodeableConcept
  method 0..1 CodeableConcept
  specimen 0..1 Reference(Specimen)
  device 0..1 Reference(Device|DeviceMetric)
  referenceRange 0..* Observation.referenceRange
  related 0..* Observation.related
  component 0..* Observation.component

part Observation.referenceRange : BackboneElement
  low 0..1 SimpleQuantity
  high 0..1 SimpleQuantity
  meaning 0..1 CodeableConcept
  age 0..1 Range
  text 0..1 string

part Observation.related : BackboneElement
  type 0..1 code {observation-relationshiptypes}
  target 1..1 Reference(Observation|QuestionnaireResponse)

part Observation.component : BackboneElement
  code 1..1 CodeableConcept
  value[x] 0..1 Quantity,CodeableConcept,string,Range,Ratio,SampledData,Attachment,time,dateTime,Period
  dataAbsentReason 0..1 CodeableConcept
  referenceRange 0..* Observation.referenceRange

resource OperationDefinition : DomainResource
  url 0..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {conformance-resource-status} ?!
  kind 1..1 code {operation-kind}
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* OperationDefinition.contact
  date 0..1 dateTime
  description 0..1 string
  requirements 0..1 string
  idempotent 0..1 boolean
  code 1..1 code
  notes 0..1 string
  base 0..1 Reference(OperationDefinition)
  system 1..1 boolean
  type 0..* code {resource-types}
  instance 1..1 boolean
  parameter 0..* OperationDefinition.parameter

part OperationDefinition.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part OperationDefinition.parameter : BackboneElement
  name 1..1 code
  use 1..1 code {operation-parameter-use}
  min 1..1 integer
  max 1..1 string
  documentation 0..1 string
  type 0..1 code
  profile 0..1 Reference(StructureDefinition)
  binding 0..1 OperationDefinition.parameter.binding
  part 0..* OperationDefinition.parameter

part OperationDefinition.parameter.binding : BackboneElement
  strength 1..1 code {binding-strength}
  valueSet[x] 1..1 uri,Reference(ValueSet)

resource OperationOutcome : DomainResource
  issue 1..* OperationOutcome.issue

part OperationOutcome.issue : BackboneElement
  severity 1..1 code {issue-severity} ?!
  code 1..1 code {issue-type}
  details 0..1 CodeableConcept
  diagnostics 0..1 string
  location 0..* string

resource Order : DomainResource
  identifier 0..* Identifier
  date 0..1 dateTime
  subject 0..1 Reference(Patient|Group|Device|Substance)
  source 0..1 Reference(Practitioner|Organization)
  target 0..1 Reference(Organization|Device|Practitioner)
  reason[x] 0..1 CodeableConcept,Reference
  when 0..1 Order.when
  detail 1..* Reference

part Order.when : BackboneElement
  code 0..1 CodeableConcept
  schedule 0..1 Timing

resource OrderResponse : DomainResource
  identifier 0..* Identifier
  request 1..1 Reference(Order)
  date 0..1 dateTime
  who 0..1 Reference(Practitioner|Organization|Device)
  orderStatus 1..1 code {order-status} ?!
  description 0..1 string
  fulfillment 0..* Reference

resource Organization : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  type 0..1 CodeableConcept
  name 0..1 string
  telecom 0..* ContactPoint
  address 0..* Address
  partOf 0..1 Reference(Organization)
  contact 0..* Organization.contact

part Organization.contact : BackboneElement
  purpose 0..1 CodeableConcept
  name 0..1 HumanName
  telecom 0..* ContactPoint
  address 0..1 Address

resource Parameters : Resource
  parameter 0..* Parameters.parameter

part Parameters.parameter : BackboneElement
  name 1..1 string
  value[x] 0..1 boolean,integer,decimal,base64Binary,instant,string,uri,date,dateTime,time,code,oid,uuid,id,unsignedInt,positiveInt,markdown,Annotation,Attachment,Identifier,CodeableConcept,Coding,Quantity,Range,Period,Ratio,Reference,SampledData,Signature,HumanName,Address,ContactPoint,Timing,Meta,ElementDefinition
  resource 0..1 Resource
  part 0..* Parameters.parameter

resource Patient : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  name 0..* HumanName
  telecom 0..* ContactPoint
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  deceased[x] 0..1 boolean,dateTime ?!
  address 0..* Address
  maritalStatus 0..1 CodeableConcept
  multipleBirth[x] 0..1 boolean,integer
  photo 0..* Attachment
  contact 0..* Patient.contact
  animal 0..1 Patient.animal ?!
  communication 0..* Patient.communication
  careProvider 0..* Reference(Organization|Practitioner)
  managingOrganization 0..1 Reference(Organization)
  link 0..* Patient.link ?!

part Patient.contact : BackboneElement
  relationship 0..* CodeableConcept
  name 0..1 HumanName
  telecom 0..* ContactPoint
  address 0..1 Address
  gender 0..1 code {administrative-gender}
  organization 0..1 Reference(Organization)
  period 0..1 Period

part Patient.animal : BackboneElement
  species 1..1 CodeableConcept
  breed 0..1 CodeableConcept
  genderStatus 0..1 CodeableConcept

part Patient.communication : BackboneElement
  language 1..1 CodeableConcept
  preferred 0..1 boolean

part Patient.link : BackboneElement
  other 1..1 Reference(Patient) ?!
  type 1..1 code {link-type} ?!

resource PaymentNotice : DomainResource
  identifier 0..* Identifier
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  request 0..1 Reference
  response 0..1 Reference
  paymentStatus 1..1 Coding

resource PaymentReconciliation : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference(ProcessRequest)
  outcome 0..1 code {remittance-outcome}
  disposition 0..1 string
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  period 0..1 Period
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  detail 0..* PaymentReconciliation.detail
  form 0..1 Coding
  total 1..1 Quantity
  note 0..* PaymentReconciliation.note

part PaymentReconciliation.detail : BackboneElement
  type 1..1 Coding
  request 0..1 Reference
  responce 0..1 Reference
  submitter 0..1 Reference(Organization)
  payee 0..1 Reference(Organization)
  date 0..1 date
  amount 0..1 Quantity

part PaymentReconciliation.note : BackboneElement
  type 0..1 Coding
  text 0..1 string

resource Person : DomainResource
  identifier 0..* Identifier
  name 0..* HumanName
  telecom 0..* ContactPoint
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  address 0..* Address
  photo 0..1 Attachment
  managingOrganization 0..1 Reference(Organization)
  active 0..1 boolean ?!
  link 0..* Person.link

part Person.link : BackboneElement
  target 1..1 Reference(Patient|Practitioner|RelatedPerson|Person)
  assurance 0..1 code {identity-assuranceLevel}

resource Practitioner : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean
  name 0..1 HumanName
  telecom 0..* ContactPoint
  address 0..* Address
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  photo 0..* Attachment
  practitionerRole 0..* Practitioner.practitionerRole
  qualification 0..* Practitioner.qualification
  communication 0..* CodeableConcept

part Practitioner.practitionerRole : BackboneElement
  managingOrganization 0..1 Reference(Organization)
  role 0..1 CodeableConcept
  specialty 0..* CodeableConcept
  period 0..1 Period
  location 0..* Reference(Location)
  healthcareService 0..* Reference(HealthcareService)

part Practitioner.qualification : BackboneElement
  identifier 0..* Identifier
  code 1..1 CodeableConcept
  period 0..1 Period
  issuer 0..1 Reference(Organization)

resource Procedure : DomainResource
  identifier 0..* Identifier
  subject 1..1 Reference(Patient|Group)
  status 1..1 code {procedure-status} ?!
  category 0..1 CodeableConcept
  code 1..1 CodeableConcept
  notPerformed 0..1 boolean ?!
  reasonNotPerformed 0..* CodeableConcept
  bodySite 0..* CodeableConcept
  reason[x] 0..1 CodeableConcept,Reference(Condition)
  performer 0..* Procedure.performer
  performed[x] 0..1 dateTime,Period
  encounter 0..1 Reference(Encounter)
  location 0..1 Reference(Location)
  outcome 0..1 CodeableConcept
  report 0..* Reference(DiagnosticReport)
  complication 0..* CodeableConcept
  followUp 0..* CodeableConcept
  request 0..1 Reference(CarePlan|DiagnosticOrder|ProcedureRequest|ReferralRequest)
  notes 0..* Annotation
  focalDevice 0..* Procedure.focalDevice
  used 0..* Reference(Device|Medication|Substance)

part Procedure.performer : BackboneElement
  actor 0..1 Reference(Practitioner|Organization|Patient|RelatedPerson)
  role 0..1 CodeableConcept

part Procedure.focalDevice : BackboneElement
  action 0..1 CodeableConcept
  manipulated 1..1 Reference(Device)

resource ProcedureRequest : DomainResource
  identifier 0..* Identifier
  subject 1..1 Reference(Patient|Group)
  code 1..1 CodeableConcept
  bodySite 0..* CodeableConcept
  reason[x] 0..1 CodeableConcept,Reference(Condition)
  scheduled[x] 0..1 dateTime,Period,Timing
  encounter 0..1 Reference(Encounter)
  performer 0..1 Reference(Practitioner|Organization|Patient|RelatedPerson)
  status 0..1 code {procedure-request-status} ?!
  notes 0..* Annotation
  asNeeded[x] 0..1 boolean,CodeableConcept
  orderedOn 0..1 dateTime
  orderer 0..1 Reference(Practitioner|Patient|RelatedPerson|Device)
  priority 0..1 code {procedure-request-priority}

resource ProcessRequest : DomainResource
  action 1..1 code {actionlist}
  identifier 0..* Identifier
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  request 0..1 Reference
  response 0..1 Reference
  nullify 0..1 boolean
  reference 0..1 string
  item 0..* ProcessRequest.item
  include 0..* string
  exclude 0..* string
  period 0..1 Period

part ProcessRequest.item : BackboneElement
  sequenceLinkId 1..1 integer

resource ProcessResponse : DomainResource
  identifier 0..* Identifier
  request 0..1 Reference
  outcome 0..1 Coding
  disposition 0..1 string
  ruleset 0..1 Coding
  originalRuleset 0..1 Coding
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  form 0..1 Coding
  notes 0..* ProcessResponse.notes
  error 0..* Coding

part ProcessResponse.notes : BackboneElement
  type 0..1 Coding
  text 0..1 string

resource Provenance : DomainResource
  target 1..* Reference
  period 0..1 Period
  recorded 1..1 instant
  reason 0..* CodeableConcept
  activity 0..1 CodeableConcept
  location 0..1 Reference(Location)
  policy 0..* uri
  agent 0..* Provenance.agent
  entity 0..* Provenance.entity
  signature 0..* Signature

part Provenance.agent : BackboneElement
  role 1..1 Coding
  actor 0..1 Reference(Practitioner|RelatedPerson|Patient|Device|Organization)
  userId 0..1 Identifier
  relatedAgent 0..* Provenance.agent.relatedAgent

part Provenance.agent.relatedAgent : BackboneElement
  type 1..1 CodeableConcept
  target 1..1 uri

part Provenance.entity : BackboneElement
  role 1..1 code {provenance-entity-role}
  type 1..1 Coding
  reference 1..1 uri
  display 0..1 string
  agent 0..1 Provenance.agent

resource Questionnaire : DomainResource
  identifier 0..* Identifier
  version 0..1 string
  status 1..1 code {questionnaire-status} ?!
  date 0..1 dateTime
  publisher 0..1 string
  telecom 0..* ContactPoint
  subjectType 0..* code {resource-types}
  group 1..1 Questionnaire.group

part Questionnaire.group : BackboneElement
  linkId 0..1 string
  title 0..1 string
  concept 0..* Coding
  text 0..1 string
  required 0..1 boolean
  repeats 0..1 boolean
  group 0..* Questionnaire.group
  question 0..* Questionnaire.group.question

part Questionnaire.group.question : BackboneElement
  linkId 0..1 string
  concept 0..* Coding
  text 0..1 string
  type 0..1 code {answer-format}
  required 0..1 boolean
  repeats 0..1 boolean
  options 0..1 Reference(ValueSet)
  option 0..* Coding
  group 0..* Questionnaire.group

resource QuestionnaireResponse : DomainResource
  identifier 0..1 Identifier
  questionnaire 0..1 Reference(Questionnaire)
  status 1..1 code {questionnaire-answers-status} ?!
  subject 0..1 Reference
  author 0..1 Reference(Device|Practitioner|Patient|RelatedPerson)
  authored 0..1 dateTime
  source 0..1 Reference(Patient|Practitioner|RelatedPerson)
  encounter 0..1 Reference(Encounter)
  group 0..1 QuestionnaireResponse.group

part QuestionnaireResponse.group : BackboneElement
  linkId 0..1 string
  title 0..1 string
  text 0..1 string
  subject 0..1 Reference
  group 0..* QuestionnaireResponse.group
  question 0..* QuestionnaireResponse.group.question

part QuestionnaireResponse.group.question : BackboneElement
  linkId 0..1 string
  text 0..1 string
  answer 0..* QuestionnaireResponse.group.question.answer

part QuestionnaireResponse.group.question.answer : BackboneElement
  value[x] 0..1 boolean,decimal,integer,date,dateTime,instant,time,string,uri,Attachment,Coding,Quantity,Reference
  group 0..* QuestionnaireResponse.group

resource ReferralRequest : DomainResource
  status 1..1 code {referralstatus} ?!
  identifier 0..* Identifier
  date 0..1 dateTime
  type 0..1 CodeableConcept
  specialty 0..1 CodeableConcept
  priority 0..1 CodeableConcept
  patient 0..1 Reference(Patient)
  requester 0..1 Reference(Practitioner|Organization|Patient)
  recipient 0..* Reference(Practitioner|Organization)
  encounter 0..1 Reference(Encounter)
  dateSent 0..1 dateTime
  reason 0..1 CodeableConcept
  description 0..1 string
  serviceRequested 0..* CodeableConcept
  supportingInformation 0..* Reference
  fulfillmentTime 0..1 Period

resource RelatedPerson : DomainResource
  identifier 0..* Identifier
  patient 1..1 Reference(Patient)
  relationship 0..1 CodeableConcept
  name 0..1 HumanName
  telecom 0..* ContactPoint
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  address 0..* Address
  photo 0..* Attachment
  period 0..1 Period

resource RiskAssessment : DomainResource
  subject 0..1 Reference(Patient|Group)
  date 0..1 dateTime
  condition 0..1 Reference(Condition)
  encounter 0..1 Reference(Encounter)
  performer 0..1 Reference(Practitioner|Device)
  identifier 0..1 Identifier
  method 0..1 CodeableConcept
  basis 0..* Reference
  prediction 0..* RiskAssessment.prediction
  mitigation 0..1 string

part RiskAssessment.prediction : BackboneElement
  outcome 1..1 CodeableConcept
  probability[x] 0..1 decimal,Range,CodeableConcept
  relativeRisk 0..1 decimal
  when[x] 0..1 Period,Range
  rationale 0..1 string

resource Schedule : DomainResource
  identifier 0..* Identifier
  type 0..* CodeableConcept
  actor 1..1 Reference(Patient|Practitioner|RelatedPerson|Device|HealthcareService|Location)
  planningHorizon 0..1 Period
  comment 0..1 string

resource SearchParameter : DomainResource
  url 1..1 uri
  name 1..1 string
  status 0..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* SearchParameter.contact
  date 0..1 dateTime
  requirements 0..1 string
  code 1..1 code
  base 1..1 code {resource-types}
  type 1..1 code {search-param-type}
  description 1..1 string
  xpath 0..1 string
  xpathUsage 0..1 code {search-xpath-usage}
  target 0..* code {resource-types}

part SearchParameter.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

resource Slot : DomainResource
  identifier 0..* Identifier
  type 0..1 CodeableConcept
  schedule 1..1 Reference(Schedule)
  freeBusyType 1..1 code {slotstatus}
  start 1..1 instant
  end 1..1 instant
  overbooked 0..1 boolean
  comment 0..1 string

resource Specimen : DomainResource
  identifier 0..* Identifier
  status 0..1 code {specimen-status} ?!
  type 0..1 CodeableConcept
  parent 0..* Reference(Specimen)
  subject 1..1 Reference(Patient|Group|Device|Substance)
  accessionIdentifier 0..1 Identifier
  receivedTime 0..1 dateTime
  collection 0..1 Specimen.collection
  treatment 0..* Specimen.treatment
  container 0..* Specimen.container

part Specimen.collection : BackboneElement
  collector 0..1 Reference(Practitioner)
  comment 0..* string
  collected[x] 0..1 dateTime,Period
  quantity 0..1 SimpleQuantity
  method 0..1 CodeableConcept
  bodySite 0..1 CodeableConcept

part Specimen.treatment : BackboneElement
  description 0..1 string
  procedure 0..1 CodeableConcept
  additive 0..* Reference(Substance)

part Specimen.container : BackboneElement
  identifier 0..* Identifier
  description 0..1 string
  type 0..1 CodeableConcept
  capacity 0..1 SimpleQuantity
  specimenQuantity 0..1 SimpleQuantity
  additive[x] 0..1 CodeableConcept,Reference(Substance)

resource StructureDefinition : DomainResource
  url 1..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 1..1 string
  display 0..1 string
  status 1..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* StructureDefinition.contact
  date 0..1 dateTime
  description 0..1 string
  useContext 0..* CodeableConcept
  requirements 0..1 string
  copyright 0..1 string
  code 0..* Coding
  fhirVersion 0..1 id
  mapping 0..* StructureDefinition.mapping
  kind 1..1 code {structure-definition-kind}
  constrainedType 0..1 code
  abstract 1..1 boolean
  contextType 0..1 code {extension-context}
  context 0..* string
  base 0..1 uri
  snapshot 0..1 StructureDefinition.snapshot
  differential 0..1 StructureDefinition.differential

part StructureDefinition.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part StructureDefinition.mapping : BackboneElement
  identity 1..1 id
  uri 0..1 uri
  name 0..1 string
  comments 0..1 string

part StructureDefinition.snapshot : BackboneElement
  element 1..* ElementDefinition

part StructureDefinition.differential : BackboneElement
  element 1..* ElementDefinition

resource Subscription : DomainResource
  criteria 1..1 string
  contact 0..* ContactPoint
  reason 1..1 string
  status 1..1 code {subscription-status} ?!
  error 0..1 string
  channel 1..1 Subscription.channel
  end 0..1 instant
  tag 0..* Coding

part Subscription.channel : BackboneElement
  type 1..1 code {subscription-channel-type}
  endpoint 0..1 uri
  payload 1..1 string
  header 0..1 string

resource Substance : DomainResource
  identifier 0..* Identifier
  category 0..* CodeableConcept
  code 1..1 CodeableConcept
  description 0..1 string
  instance 0..* Substance.instance
  ingredient 0..* Substance.ingredient

part Substance.instance : BackboneElement
  identifier 0..1 Identifier
  expiry 0..1 dateTime
  quantity 0..1 SimpleQuantity

part Substance.ingredient : BackboneElement
  quantity 0..1 Ratio
  substance 1..1 Reference(Substance)

resource SupplyDelivery : DomainResource
  identifier 0..1 Identifier
  status 0..1 code {supplydelivery-status} ?!
  patient 0..1 Reference(Patient)
  type 0..1 CodeableConcept
  quantity 0..1 SimpleQuantity
  suppliedItem 0..1 Reference(Medication|Substance|Device)
  supplier 0..1 Reference(Practitioner)
  whenPrepared 0..1 Period
  time 0..1 dateTime
  destination 0..1 Reference(Location)
  receiver 0..* Reference(Practitioner)

resource SupplyRequest : DomainResource
  patient 0..1 Reference(Patient)
  source 0..1 Reference(Practitioner|Organization|Patient)
  date 0..1 dateTime
  identifier 0..1 Identifier
  status 0..1 code {supplyrequest-status} ?!
  kind 0..1 CodeableConcept
  orderedItem 0..1 Reference(Medication|Substance|Device)
  supplier 0..* Reference(Organization)
  reason[x] 0..1 CodeableConcept,Reference
  when 0..1 SupplyRequest.when

part SupplyRequest.when : BackboneElement
  code 0..1 CodeableConcept
  schedule 0..1 Timing

resource TestScript : DomainResource
  url 1..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {conformance-resource-status} ?!
  identifier 0..1 Identifier
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* TestScript.contact
  date 0..1 dateTime
  description 0..1 string
  useContext 0..* CodeableConcept
  requirements 0..1 string
  copyright 0..1 string
  metadata 0..1 TestScript.metadata
  multiserver 0..1 boolean
  fixture 0..* TestScript.fixture
  profile 0..* Reference
  variable 0..* TestScript.variable
  setup 0..1 TestScript.setup
  test 0..* TestScript.test
  teardown 0..1 TestScript.teardown

part TestScript.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part TestScript.metadata : BackboneElement
  link 0..* TestScript.metadata.link
  capability 1..* TestScript.metadata.capability

part TestScript.metadata.link : BackboneElement
  url 1..1 uri
  description 0..1 string

part TestScript.metadata.capability : BackboneElement
  required 0..1 boolean
  validated 0..1 boolean
  description 0..1 string
  destination 0..1 integer
  link 0..* uri
  conformance 1..1 Reference(Conformance)

part TestScript.fixture : BackboneElement
  autocreate 0..1 boolean
  autodelete 0..1 boolean
  resource 0..1 Reference

part TestScript.variable : BackboneElement
  name 1..1 string
  headerField 0..1 string
  path 0..1 string
  sourceId 0..1 id

part TestScript.setup : BackboneElement
  metadata 0..1 TestScript.metadata
  action 1..* TestScript.setup.action

part TestScript.setup.action : BackboneElement
  operation 0..1 TestScript.setup.action.operation
  assert 0..1 TestScript.setup.action.assert

part TestScript.setup.action.operation : BackboneElement
  type 0..1 Coding
  resource 0..1 code
  label 0..1 string
  description 0..1 string
  accept 0..1 code {content-type}
  contentType 0..1 code {content-type}
  destination 0..1 integer
  encodeRequestUrl 0..1 boolean
  params 0..1 string
  requestHeader 0..* TestScript.setup.action.operation.requestHeader
  responseId 0..1 id
  sourceId 0..1 id
  targetId 0..1 id
  url 0..1 string

part TestScript.setup.action.operation.requestHeader : BackboneElement
  field 1..1 string
  value 1..1 string

part TestScript.setup.action.assert : BackboneElement
  label 0..1 string
  description 0..1 string
  direction 0..1 code {assert-direction-codes}
  compareToSourceId 0..1 string
  compareToSourcePath 0..1 string
  contentType 0..1 code {content-type}
  headerField 0..1 string
  minimumId 0..1 string
  navigationLinks 0..1 boolean
  operator 0..1 code {assert-operator-codes}
  path 0..1 string
  resource 0..1 code
  response 0..1 code {assert-response-code-types}
  responseCode 0..1 string
  sourceId 0..1 id
  validateProfileId 0..1 id
  value 0..1 string
  warningOnly 0..1 boolean

part TestScript.test : BackboneElement
  name 0..1 string
  description 0..1 string
  metadata 0..1 TestScript.metadata
  action 1..* TestScript.test.action

part TestScript.test.action : BackboneElement
  operation 0..1 TestScript.setup.action.operation
  assert 0..1 TestScript.setup.action.assert

part TestScript.teardown : BackboneElement
  action 1..* TestScript.teardown.action

part TestScript.teardown.action : BackboneElement
  operation 0..1 TestScript.setup.action.operation

resource ValueSet : DomainResource
  url 0..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 0..1 string
  status 1..1 code {conformance-resource-status} ?!
  experimental 0..1 boolean
  publisher 0..1 string
  contact 0..* ValueSet.contact
  date 0..1 dateTime
  lockedDate 0..1 date
  description 0..1 string
  useContext 0..* CodeableConcept
  immutable 0..1 boolean
  requirements 0..1 string
  copyright 0..1 string
  extensible 0..1 boolean
  codeSystem 0..1 ValueSet.codeSystem
  compose 0..1 ValueSet.compose
  expansion 0..1 ValueSet.expansion

part ValueSet.contact : BackboneElement
  name 0..1 string
  telecom 0..* ContactPoint

part ValueSet.codeSystem : BackboneElement
  system 1..1 uri
  version 0..1 string
  caseSensitive 0..1 boolean
  concept 1..* ValueSet.codeSystem.concept

part ValueSet.codeSystem.concept : BackboneElement
  code 1..1 code
  abstract 0..1 boolean
  display 0..1 string
  definition 0..1 string
  designation 0..* ValueSet.codeSystem.concept.designation
  concept 0..* ValueSet.codeSystem.concept

part ValueSet.codeSystem.concept.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding
  value 1..1 string

part ValueSet.compose : BackboneElement
  import 0..* uri
  include 0..* ValueSet.compose.include
  exclude 0..* ValueSet.compose.include

part ValueSet.compose.include : BackboneElement
  system 1..1 uri
  version 0..1 string
  concept 0..* ValueSet.compose.include.concept
  filter 0..* ValueSet.compose.include.filter

part ValueSet.compose.include.concept : BackboneElement
  code 1..1 code
  display 0..1 string
  designation 0..* ValueSet.codeSystem.concept.designation

part ValueSet.compose.include.filter : BackboneElement
  property 1..1 code
  op 1..1 code {filter-operator}
  value 1..1 code

part ValueSet.expansion : BackboneElement
  identifier 1..1 uri
  timestamp 1..1 dateTime
  total 0..1 integer
  offset 0..1 integer
  parameter 0..* ValueSet.expansion.parameter
  contains 0..* ValueSet.expansion.contains

part ValueSet.expansion.parameter : BackboneElement
  name 1..1 string
  value[x] 0..1 string,boolean,integer,decimal,uri,code

part ValueSet.expansion.contains : BackboneElement
  system 0..1 uri
  abstract 0..1 boolean
  version 0..1 string
  code 0..1 code
  display 0..1 string
  contains 0..* ValueSet.expansion.contains

resource VisionPrescription : DomainResource
  identifier 0..* Identifier
  dateWritten 0..1 dateTime
  patient 0..1 Reference(Patient)
  prescriber 0..1 Reference(Practitioner)
  encounter 0..1 Reference(Encounter)
  reason[x] 0..1 CodeableConcept,Reference(Condition)
  dispense 0..* VisionPrescription.dispense

part VisionPrescription.dispense : BackboneElement
  product 1..1 Coding
  eye 0..1 code {vision-eye-codes}
  sphere 0..1 decimal
  cylinder 0..1 decimal
  axis 0..1 integer
  prism 0..1 decimal
  base 0..1 code {vision-base-codes}
  add 0..1 decimal
  power 0..1 decimal
  backCurve 0..1 decimal
  diameter 0..1 decimal
  duration 0..1 SimpleQuantity
  color 0..1 string
  brand 0..1 string
  notes 0..1 string
`;
