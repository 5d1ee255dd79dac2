/** FHIR STU3's definitions, out of hl7.fhir.r3.examples@3.0.2 by scripts/generate-definitions.ts. */
export const STU3_TABLE = `
codes account-status active inactive entered-in-error
codes action-cardinality-behavior single multiple
codes action-condition-kind applicability start stop
codes action-grouping-behavior visual-group logical-group sentence-group
codes action-participant-type patient practitioner related-person
codes action-precheck-behavior yes no
codes action-relationship-type before-start before before-end concurrent-with-start concurrent concurrent-with-end after-start after after-end
codes action-required-behavior must could must-unless-documented
codes action-selection-behavior any all all-or-none exactly-one at-most-one one-or-more
codes actionlist cancel poll reprocess status
codes address-type postal physical both
codes address-use home work temp old
codes administrative-gender male female other unknown
codes adverse-event-category AE PAE
codes adverse-event-causality causality1 causality2
codes all-types Address Age Annotation Attachment BackboneElement CodeableConcept Coding ContactDetail ContactPoint Contributor Count DataRequirement Distance Dosage Duration Element ElementDefinition Extension HumanName Identifier Meta Money Narrative ParameterDefinition Period Quantity Range Ratio Reference RelatedArtifact SampledData Signature SimpleQuantity Timing TriggerDefinition UsageContext base64Binary boolean code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri uuid xhtml Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BodySite Bundle CapabilityStatement CarePlan CareTeam ChargeItem Claim ClaimResponse ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage DataElement DetectedIssue Device DeviceComponent DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference DomainResource EligibilityRequest EligibilityResponse Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare ExpansionProfile ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingManifest ImagingStudy Immunization ImmunizationRecommendation ImplementationGuide Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationRequest MedicationStatement MessageDefinition MessageHeader NamingSystem NutritionOrder Observation OperationDefinition OperationOutcome Organization Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole Procedure ProcedureRequest ProcessRequest ProcessResponse Provenance Questionnaire QuestionnaireResponse ReferralRequest RelatedPerson RequestGroup ResearchStudy ResearchSubject Resource RiskAssessment Schedule SearchParameter Sequence ServiceDefinition Slot Specimen StructureDefinition StructureMap Subscription Substance SupplyDelivery SupplyRequest Task TestReport TestScript ValueSet VisionPrescription Type Any
codes allergy-clinical-status active inactive resolved
codes allergy-intolerance-category food medication environment biologic
codes allergy-intolerance-criticality low high unable-to-assess
codes allergy-intolerance-type allergy intolerance
codes allergy-verification-status unconfirmed confirmed refuted entered-in-error
codes appointmentstatus proposed pending booked arrived fulfilled cancelled noshow entered-in-error
codes assert-direction-codes response request
codes assert-operator-codes equals notEquals in notIn greaterThan lessThan empty notEmpty contains notContains eval
codes assert-response-code-types okay created noContent notModified bad forbidden notFound methodNotAllowed conflict gone preconditionFailed unprocessable
codes audit-event-action C R U D E
codes audit-event-outcome 0 4 8 12
codes binding-strength required extensible preferred example
codes bundle-type document message transaction transaction-response batch batch-response history searchset collection
codes capability-statement-kind instance capability requirements
codes care-plan-activity-status not-started scheduled in-progress on-hold completed cancelled unknown
codes care-plan-intent proposal plan order option
codes care-plan-status draft active suspended completed entered-in-error cancelled unknown
codes care-team-status proposed active suspended inactive entered-in-error
codes chargeitem-status planned billable not-billable aborted billed entered-in-error unknown
codes claim-use complete proposed exploratory other
codes clinical-impression-status draft completed entered-in-error
codes codesystem-content-mode not-present example fragment complete
codes codesystem-hierarchy-meaning grouped-by is-a part-of classified-with
codes compartment-type Patient Encounter RelatedPerson Practitioner Device
codes composition-attestation-mode personal professional legal official
codes composition-status preliminary final amended entered-in-error
codes concept-map-equivalence relatedto equivalent equal wider subsumes narrower specializes inexact unmatched disjoint
codes concept-property-type code Coding string integer boolean dateTime
codes conceptmap-unmapped-mode provided fixed other-map
codes condition-clinical active recurrence inactive remission resolved
codes condition-ver-status provisional differential confirmed refuted entered-in-error unknown
codes conditional-delete-status not-supported single multiple
codes conditional-read-status not-supported modified-since not-match full-support
codes consent-data-meaning instance related dependents authoredby
codes consent-except-type deny permit
codes consent-state-codes draft proposed active rejected inactive entered-in-error
codes constraint-severity error warning
codes contact-point-system phone fax email pager url sms other
codes contact-point-use home work temp old mobile
codes content-type xml json ttl none
codes contract-status amended appended cancelled disputed entered-in-error executable executed negotiable offered policy rejected renewed revoked resolved terminated
codes contributor-type author editor reviewer endorser
codes dataelement-stringency comparable fully-specified equivalent convertable scaleable flexible
codes days-of-week mon tue wed thu fri sat sun
codes defined-types Address Age Annotation Attachment BackboneElement CodeableConcept Coding ContactDetail ContactPoint Contributor Count DataRequirement Distance Dosage Duration Element ElementDefinition Extension HumanName Identifier Meta Money Narrative ParameterDefinition Period Quantity Range Ratio Reference RelatedArtifact SampledData Signature SimpleQuantity Timing TriggerDefinition UsageContext base64Binary boolean code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri uuid xhtml Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BodySite Bundle CapabilityStatement CarePlan CareTeam ChargeItem Claim ClaimResponse ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage DataElement DetectedIssue Device DeviceComponent DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference DomainResource EligibilityRequest EligibilityResponse Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare ExpansionProfile ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingManifest ImagingStudy Immunization ImmunizationRecommendation ImplementationGuide Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationRequest MedicationStatement MessageDefinition MessageHeader NamingSystem NutritionOrder Observation OperationDefinition OperationOutcome Organization Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole Procedure ProcedureRequest ProcessRequest ProcessResponse Provenance Questionnaire QuestionnaireResponse ReferralRequest RelatedPerson RequestGroup ResearchStudy ResearchSubject Resource RiskAssessment Schedule SearchParameter Sequence ServiceDefinition Slot Specimen StructureDefinition StructureMap Subscription Substance SupplyDelivery SupplyRequest Task TestReport TestScript ValueSet VisionPrescription
codes detectedissue-severity high moderate low
codes device-statement-status active completed entered-in-error intended stopped on-hold
codes device-status active inactive entered-in-error unknown
codes diagnostic-report-status registered partial preliminary final amended corrected appended cancelled entered-in-error unknown
codes digital-media-type photo video audio
codes discriminator-type value exists pattern type profile
codes document-mode producer consumer
codes document-reference-status current superseded entered-in-error
codes document-relationship-type replaces transforms signs appends
codes encounter-location-status planned active reserved completed
codes encounter-status planned arrived triaged in-progress onleave finished cancelled entered-in-error unknown
codes endpoint-status active suspended error off entered-in-error test
codes episode-of-care-status planned waitlist active onhold finished cancelled entered-in-error
codes event-capability-mode sender receiver
codes event-status preparation in-progress suspended aborted completed entered-in-error unknown
codes event-timing MORN AFT EVE NIGHT PHS HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV
codes explanationofbenefit-status active cancelled draft entered-in-error
codes extension-context resource datatype extension
codes filter-operator = is-a descendent-of is-not-a regex in not-in generalizes exists
codes flag-status active inactive entered-in-error
codes fm-status active cancelled draft entered-in-error
codes goal-status proposed accepted planned in-progress on-target ahead-of-target behind-target sustaining achieved on-hold cancelled entered-in-error rejected
codes graph-compartment-rule identical matching different custom
codes group-type person animal practitioner device medication substance
codes guidance-response-status success data-requested data-required in-progress failure entered-in-error
codes guide-dependency-type reference inclusion
codes guide-page-kind page example list include directory dictionary toc resource
codes history-status partial completed entered-in-error health-unknown
codes http-operations delete get options patch post put
codes http-verb GET POST PUT DELETE
codes identifier-use usual official temp secondary
codes identity-assuranceLevel level1 level2 level3 level4
codes immunization-status completed entered-in-error
codes instance-availability ONLINE OFFLINE NEARLINE UNAVAILABLE
codes issue-severity fatal error warning information
codes issue-type invalid structure required value invariant security login unknown expired forbidden suppressed processing not-supported duplicate not-found too-long code-invalid extension too-costly business-rule conflict incomplete transient lock-error no-store exception timeout throttled informational
codes item-type group display boolean decimal integer date dateTime time string text url choice open-choice attachment reference quantity
codes link-type replaced-by replaces refer seealso
codes linkage-type source alternate historical
codes list-mode working snapshot changes
codes list-status current retired entered-in-error
codes location-mode instance kind
codes location-status active suspended inactive
codes map-context-type type variable
codes map-group-type-mode none types type-and-types
codes map-input-mode source target
codes map-model-mode source queried target produced
codes map-source-list-mode first not_first last not_last only_one
codes map-target-list-mode first share last collate
codes map-transform create copy truncate escape cast append translate reference dateOp uuid pointer evaluate cc c qty id cp
codes measure-report-status complete pending error
codes measure-report-type individual patient-list summary
codes measurement-principle other chemical electrical impedance nuclear optical thermal biological mechanical acoustical manual
codes medication-admin-status in-progress on-hold completed entered-in-error stopped unknown
codes medication-dispense-status preparation in-progress on-hold completed entered-in-error stopped
codes medication-request-intent proposal plan order instance-order
codes medication-request-priority routine urgent stat asap
codes medication-request-status active on-hold cancelled completed entered-in-error stopped draft unknown
codes medication-statement-status active completed entered-in-error intended stopped on-hold
codes medication-statement-taken y n unk na
codes medication-status active inactive entered-in-error
codes message-significance-category Consequence Currency Notification
codes metric-calibration-state not-calibrated calibration-required calibrated unspecified
codes metric-calibration-type unspecified offset gain two-point
codes metric-category measurement setting calculation unspecified
codes metric-color black red green yellow blue magenta cyan white
codes metric-operational-status on off standby entered-in-error
codes name-use usual official temp nickname anonymous old maiden
codes namingsystem-identifier-type oid uuid uri other
codes namingsystem-type codesystem identifier root
codes narrative-status generated extensions additional empty
codes network-type 1 2 3 4 5
codes nutrition-request-status proposed draft planned requested active on-hold completed cancelled entered-in-error
codes observation-relationshiptypes has-member derived-from sequel-to replaces qualified-by interfered-by
codes observation-status registered preliminary final amended corrected cancelled entered-in-error unknown
codes operation-kind operation query
codes operation-parameter-use in out
codes participantrequired required optional information-only
codes participationstatus accepted declined tentative needs-action
codes property-representation xmlAttr xmlText typeAttr cdaText xhtml
codes provenance-entity-role derivation revision quotation source removal
codes publication-status draft active retired unknown
codes quality-type indel snp unknown
codes quantity-comparator < <= >= >
codes questionnaire-answers-status in-progress completed amended entered-in-error stopped
codes reaction-event-severity mild moderate severe
codes reference-handling-policy literal logical resolves enforced local
codes reference-version-rules either independent specific
codes related-artifact-type documentation justification citation predecessor successor derived-from depends-on composed-of
codes report-action-result-codes pass skip fail warning error
codes report-participant-type test-engine client server
codes report-result-codes pass fail pending
codes report-status-codes completed in-progress waiting stopped entered-in-error
codes repository-type directlink openapi login oauth other
codes request-intent proposal plan order original-order reflex-order filler-order instance-order option
codes request-priority routine urgent asap stat
codes request-status draft active suspended cancelled completed entered-in-error unknown
codes research-study-status draft in-progress suspended stopped completed entered-in-error
codes research-subject-status candidate enrolled active suspended withdrawn completed
codes resource-aggregation-mode contained referenced bundled
codes resource-slicing-rules closed open openAtEnd
codes resource-types Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BodySite Bundle CapabilityStatement CarePlan CareTeam ChargeItem Claim ClaimResponse ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage DataElement DetectedIssue Device DeviceComponent DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference DomainResource EligibilityRequest EligibilityResponse Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare ExpansionProfile ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingManifest ImagingStudy Immunization ImmunizationRecommendation ImplementationGuide Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationRequest MedicationStatement MessageDefinition MessageHeader NamingSystem NutritionOrder Observation OperationDefinition OperationOutcome Organization Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole Procedure ProcedureRequest ProcessRequest ProcessResponse Provenance Questionnaire QuestionnaireResponse ReferralRequest RelatedPerson RequestGroup ResearchStudy ResearchSubject Resource RiskAssessment Schedule SearchParameter Sequence ServiceDefinition Slot Specimen StructureDefinition StructureMap Subscription Substance SupplyDelivery SupplyRequest Task TestReport TestScript ValueSet VisionPrescription
codes response-code ok transient-error fatal-error
codes restful-capability-mode client server
codes search-comparator eq ne gt lt ge le sa eb ap
codes search-entry-mode match include outcome
codes search-modifier-code missing exact contains not text in not-in below above type
codes search-param-type number date string token reference composite quantity uri
codes search-xpath-usage normal phonetic nearby distance other
codes slotstatus busy free busy-unavailable busy-tentative entered-in-error
codes specimen-status available unavailable unsatisfactory entered-in-error
codes structure-definition-kind primitive-type complex-type resource logical
codes subscription-channel-type rest-hook websocket email sms message
codes subscription-status requested active error off
codes substance-status active inactive entered-in-error
codes supplydelivery-status in-progress completed abandoned entered-in-error
codes supplyrequest-status draft active suspended cancelled completed entered-in-error unknown
codes system-restful-interaction transaction batch search-system history-system
codes system-version-processing-mode default check override
codes task-status draft requested received accepted rejected ready cancelled in-progress on-hold failed completed entered-in-error
codes trigger-type named-event periodic data-added data-modified data-removed data-accessed data-access-ended
codes type-derivation-rule specialization constraint
codes type-restful-interaction read vread update patch delete history-instance history-type create search-type
codes udi-entry-type barcode rfid manual card self-reported unknown
codes units-of-time s min h d wk mo a
codes unknown-content-code no extensions elements both
codes v3-ConfidentialityClassification U L M N R V
codes versioning-policy no-version versioned versioned-update
codes vision-base-codes up down in out
codes vision-eye-codes right left

any base64Binary boolean code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri Address Age Annotation Attachment CodeableConcept Coding ContactPoint Count Distance Duration HumanName Identifier Money Period Quantity Range Ratio Reference SampledData Signature Timing Meta

abstract Element
  @id 0..1 string
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

data Age : Quantity

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

data ContactDetail : Element
  name 0..1 string
  telecom 0..* ContactPoint

data ContactPoint : Element
  system 0..1 code {contact-point-system}
  value 0..1 string
  use 0..1 code {contact-point-use} ?!
  rank 0..1 positiveInt
  period 0..1 Period

data Contributor : Element
  type 1..1 code {contributor-type}
  name 1..1 string
  contact 0..* ContactDetail

data Count : Quantity

data DataRequirement : Element
  type 1..1 code {all-types}
  profile 0..* uri
  mustSupport 0..* string
  codeFilter 0..* DataRequirement.codeFilter
  dateFilter 0..* DataRequirement.dateFilter

part DataRequirement.codeFilter : Element
  path 1..1 string
  valueSet[x] 0..1 string,Reference(ValueSet)
  valueCode 0..* code
  valueCoding 0..* Coding
  valueCodeableConcept 0..* CodeableConcept

part DataRequirement.dateFilter : Element
  path 1..1 string
  value[x] 0..1 dateTime,Period,Duration

data Distance : Quantity

data Dosage : Element
  sequence 0..1 integer
  text 0..1 string
  additionalInstruction 0..* CodeableConcept
  patientInstruction 0..1 string
  timing 0..1 Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  site 0..1 CodeableConcept
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  dose[x] 0..1 Range,SimpleQuantity
  maxDosePerPeriod 0..1 Ratio
  maxDosePerAdministration 0..1 SimpleQuantity
  maxDosePerLifetime 0..1 SimpleQuantity
  rate[x] 0..1 Ratio,Range,SimpleQuantity

data Duration : Quantity

data ElementDefinition : Element
  path 1..1 string
  representation 0..* code {property-representation}
  sliceName 0..1 string
  label 0..1 string
  code 0..* Coding
  slicing 0..1 ElementDefinition.slicing
  short 0..1 string
  definition 0..1 markdown
  comment 0..1 markdown
  requirements 0..1 markdown
  alias 0..* string
  min 0..1 unsignedInt
  max 0..1 string
  base 0..1 ElementDefinition.base
  contentReference 0..1 uri
  type 0..* ElementDefinition.type
  defaultValue[x] 0..1 *
  meaningWhenMissing 0..1 markdown
  orderMeaning 0..1 string
  fixed[x] 0..1 *
  pattern[x] 0..1 *
  example 0..* ElementDefinition.example
  minValue[x] 0..1 date,dateTime,instant,time,decimal,integer,positiveInt,unsignedInt,Quantity
  maxValue[x] 0..1 date,dateTime,instant,time,decimal,integer,positiveInt,unsignedInt,Quantity
  maxLength 0..1 integer
  condition 0..* id
  constraint 0..* ElementDefinition.constraint
  mustSupport 0..1 boolean
  isModifier 0..1 boolean
  isSummary 0..1 boolean
  binding 0..1 ElementDefinition.binding
  mapping 0..* ElementDefinition.mapping

part ElementDefinition.slicing : Element
  discriminator 0..* ElementDefinition.slicing.discriminator
  description 0..1 string
  ordered 0..1 boolean
  rules 1..1 code {resource-slicing-rules}

part ElementDefinition.slicing.discriminator : Element
  type 1..1 code {discriminator-type}
  path 1..1 string

part ElementDefinition.base : Element
  path 1..1 string
  min 1..1 unsignedInt
  max 1..1 string

part ElementDefinition.type : Element
  code 1..1 uri
  profile 0..1 uri
  targetProfile 0..1 uri
  aggregation 0..* code {resource-aggregation-mode}
  versioning 0..1 code {reference-version-rules}

part ElementDefinition.example : Element
  label 1..1 string
  value[x] 1..1 *

part ElementDefinition.constraint : Element
  key 1..1 id
  requirements 0..1 string
  severity 1..1 code {constraint-severity}
  human 1..1 string
  expression 1..1 string
  xpath 0..1 string
  source 0..1 uri

part ElementDefinition.binding : Element
  strength 1..1 code {binding-strength}
  description 0..1 string
  valueSet[x] 0..1 uri,Reference(ValueSet)

part ElementDefinition.mapping : Element
  identity 1..1 id
  language 0..1 code
  map 1..1 string
  comment 0..1 string

data Extension : Element
  @url 1..1 uri
  value[x] 0..1 *

data HumanName : Element
  use 0..1 code {name-use} ?!
  text 0..1 string
  family 0..1 string
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

data Money : Quantity

data Narrative : Element
  status 1..1 code {narrative-status}
  div 1..1 xhtml

data ParameterDefinition : Element
  name 0..1 code
  use 1..1 code {operation-parameter-use}
  min 0..1 integer
  max 0..1 string
  documentation 0..1 string
  type 1..1 code {all-types}
  profile 0..1 Reference(StructureDefinition)

data Period : Element
  start 0..1 dateTime
  end 0..1 dateTime

data Quantity : Element
  value 0..1 decimal
  comparator 0..1 code {quantity-comparator} ?!
  unit 0..1 string
  system 0..1 uri
  code 0..1 code

data SimpleQuantity as Quantity : Element
  value 0..1 decimal
  comparator 0..0 code {quantity-comparator} ?!
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
  identifier 0..1 Identifier
  display 0..1 string

data RelatedArtifact : Element
  type 1..1 code {related-artifact-type}
  display 0..1 string
  citation 0..1 string
  url 0..1 uri
  document 0..1 Attachment
  resource 0..1 Reference

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
  onBehalfOf[x] 0..1 uri,Reference(Practitioner|RelatedPerson|Patient|Device|Organization)
  contentType 0..1 code
  blob 0..1 base64Binary

data Timing : Element
  event 0..* dateTime
  repeat 0..1 Timing.repeat
  code 0..1 CodeableConcept

part Timing.repeat : Element
  bounds[x] 0..1 Duration,Range,Period
  count 0..1 integer
  countMax 0..1 integer
  duration 0..1 decimal
  durationMax 0..1 decimal
  durationUnit 0..1 code {units-of-time}
  frequency 0..1 integer
  frequencyMax 0..1 integer
  period 0..1 decimal
  periodMax 0..1 decimal
  periodUnit 0..1 code {units-of-time}
  dayOfWeek 0..* code {days-of-week}
  timeOfDay 0..* time
  when 0..* code {event-timing}
  offset 0..1 unsignedInt

data TriggerDefinition : Element
  type 1..1 code {trigger-type}
  eventName 0..1 string
  eventTiming[x] 0..1 Timing,Reference(Schedule),date,dateTime
  eventData 0..1 DataRequirement

data UsageContext : Element
  code 1..1 Coding
  value[x] 1..1 CodeableConcept,Quantity,Range

resource Account : DomainResource
  identifier 0..* Identifier
  status 0..1 code {account-status} ?!
  type 0..1 CodeableConcept
  name 0..1 string
  subject 0..1 Reference(Patient|Device|Practitioner|Location|HealthcareService|Organization)
  period 0..1 Period
  active 0..1 Period
  balance 0..1 Money
  coverage 0..* Account.coverage
  owner 0..1 Reference(Organization)
  description 0..1 string
  guarantor 0..* Account.guarantor

part Account.coverage : BackboneElement
  coverage 1..1 Reference(Coverage)
  priority 0..1 positiveInt

part Account.guarantor : BackboneElement
  party 1..1 Reference(Patient|RelatedPerson|Organization)
  onHold 0..1 boolean
  period 0..1 Period

resource ActivityDefinition : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  usage 0..1 string
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  topic 0..* CodeableConcept
  contributor 0..* Contributor
  contact 0..* ContactDetail
  copyright 0..1 markdown
  relatedArtifact 0..* RelatedArtifact
  library 0..* Reference(Library)
  kind 0..1 code {resource-types}
  code 0..1 CodeableConcept
  timing[x] 0..1 Timing,dateTime,Period,Range
  location 0..1 Reference(Location)
  participant 0..* ActivityDefinition.participant
  product[x] 0..1 Reference(Medication|Substance),CodeableConcept
  quantity 0..1 SimpleQuantity
  dosage 0..* Dosage
  bodySite 0..* CodeableConcept
  transform 0..1 Reference(StructureMap)
  dynamicValue 0..* ActivityDefinition.dynamicValue

part ActivityDefinition.participant : BackboneElement
  type 1..1 code {action-participant-type}
  role 0..1 CodeableConcept

part ActivityDefinition.dynamicValue : BackboneElement
  description 0..1 string
  path 0..1 string
  language 0..1 string
  expression 0..1 string

resource AdverseEvent : DomainResource
  identifier 0..1 Identifier
  category 0..1 code {adverse-event-category}
  type 0..1 CodeableConcept
  subject 0..1 Reference(Patient|ResearchSubject|Medication|Device)
  date 0..1 dateTime
  reaction 0..* Reference(Condition)
  location 0..1 Reference(Location)
  seriousness 0..1 CodeableConcept
  outcome 0..1 CodeableConcept
  recorder 0..1 Reference(Patient|Practitioner|RelatedPerson)
  eventParticipant 0..1 Reference(Practitioner|Device)
  description 0..1 string
  suspectEntity 0..* AdverseEvent.suspectEntity
  subjectMedicalHistory 0..* Reference(Condition|Observation|AllergyIntolerance|FamilyMemberHistory|Immunization|Procedure)
  referenceDocument 0..* Reference(DocumentReference)
  study 0..* Reference(ResearchStudy)

part AdverseEvent.suspectEntity : BackboneElement
  instance 1..1 Reference(Substance|Medication|MedicationAdministration|MedicationStatement|Device)
  causality 0..1 code {adverse-event-causality}
  causalityAssessment 0..1 CodeableConcept
  causalityProductRelatedness 0..1 string
  causalityMethod 0..1 CodeableConcept
  causalityAuthor 0..1 Reference(Practitioner|PractitionerRole)
  causalityResult 0..1 CodeableConcept

resource AllergyIntolerance : DomainResource
  identifier 0..* Identifier
  clinicalStatus 0..1 code {allergy-clinical-status} ?!
  verificationStatus 1..1 code {allergy-verification-status} ?!
  type 0..1 code {allergy-intolerance-type}
  category 0..* code {allergy-intolerance-category}
  criticality 0..1 code {allergy-intolerance-criticality}
  code 0..1 CodeableConcept
  patient 1..1 Reference(Patient)
  onset[x] 0..1 dateTime,Age,Period,Range,string
  assertedDate 0..1 dateTime
  recorder 0..1 Reference(Practitioner|Patient)
  asserter 0..1 Reference(Patient|RelatedPerson|Practitioner)
  lastOccurrence 0..1 dateTime
  note 0..* Annotation
  reaction 0..* AllergyIntolerance.reaction

part AllergyIntolerance.reaction : BackboneElement
  substance 0..1 CodeableConcept
  manifestation 1..* CodeableConcept
  description 0..1 string
  onset 0..1 dateTime
  severity 0..1 code {reaction-event-severity}
  exposureRoute 0..1 CodeableConcept
  note 0..* Annotation

resource Appointment : DomainResource
  identifier 0..* Identifier
  status 1..1 code {appointmentstatus} ?!
  serviceCategory 0..1 CodeableConcept
  serviceType 0..* CodeableConcept
  specialty 0..* CodeableConcept
  appointmentType 0..1 CodeableConcept
  reason 0..* CodeableConcept
  indication 0..* Reference(Condition|Procedure)
  priority 0..1 unsignedInt
  description 0..1 string
  supportingInformation 0..* Reference
  start 0..1 instant
  end 0..1 instant
  minutesDuration 0..1 positiveInt
  slot 0..* Reference(Slot)
  created 0..1 dateTime
  comment 0..1 string
  incomingReferral 0..* Reference(ReferralRequest)
  participant 1..* Appointment.participant
  requestedPeriod 0..* Period

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
  participantStatus 1..1 code {participationstatus} ?!
  comment 0..1 string

resource AuditEvent : DomainResource
  type 1..1 Coding
  subtype 0..* Coding
  action 0..1 code {audit-event-action}
  recorded 1..1 instant
  outcome 0..1 code {audit-event-outcome}
  outcomeDesc 0..1 string
  purposeOfEvent 0..* CodeableConcept
  agent 1..* AuditEvent.agent
  source 1..1 AuditEvent.source
  entity 0..* AuditEvent.entity

part AuditEvent.agent : BackboneElement
  role 0..* CodeableConcept
  reference 0..1 Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  userId 0..1 Identifier
  altId 0..1 string
  name 0..1 string
  requestor 1..1 boolean
  location 0..1 Reference(Location)
  policy 0..* uri
  media 0..1 Coding
  network 0..1 AuditEvent.agent.network
  purposeOfUse 0..* CodeableConcept

part AuditEvent.agent.network : BackboneElement
  address 0..1 string
  type 0..1 code {network-type}

part AuditEvent.source : BackboneElement
  site 0..1 string
  identifier 1..1 Identifier
  type 0..* Coding

part AuditEvent.entity : BackboneElement
  identifier 0..1 Identifier
  reference 0..1 Reference
  type 0..1 Coding
  role 0..1 Coding
  lifecycle 0..1 Coding
  securityLabel 0..* Coding
  name 0..1 string
  description 0..1 string
  query 0..1 base64Binary
  detail 0..* AuditEvent.entity.detail

part AuditEvent.entity.detail : BackboneElement
  type 1..1 string
  value 1..1 base64Binary

resource Basic : DomainResource
  identifier 0..* Identifier
  code 1..1 CodeableConcept ?!
  subject 0..1 Reference
  created 0..1 date
  author 0..1 Reference(Practitioner|Patient|RelatedPerson)

resource Binary : Resource
  contentType 1..1 code
  securityContext 0..1 Reference
  content 1..1 base64Binary

resource BodySite : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  code 0..1 CodeableConcept
  qualifier 0..* CodeableConcept
  description 0..1 string
  image 0..* Attachment
  patient 1..1 Reference(Patient)

resource Bundle : Resource
  identifier 0..1 Identifier
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
  outcome 0..1 Resource

resource CapabilityStatement : DomainResource
  url 0..1 uri
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 1..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  kind 1..1 code {capability-statement-kind}
  instantiates 0..* uri
  software 0..1 CapabilityStatement.software
  implementation 0..1 CapabilityStatement.implementation
  fhirVersion 1..1 id
  acceptUnknown 1..1 code {unknown-content-code}
  format 1..* code
  patchFormat 0..* code
  implementationGuide 0..* uri
  profile 0..* Reference(StructureDefinition)
  rest 0..* CapabilityStatement.rest
  messaging 0..* CapabilityStatement.messaging
  document 0..* CapabilityStatement.document

part CapabilityStatement.software : BackboneElement
  name 1..1 string
  version 0..1 string
  releaseDate 0..1 dateTime

part CapabilityStatement.implementation : BackboneElement
  description 1..1 string
  url 0..1 uri

part CapabilityStatement.rest : BackboneElement
  mode 1..1 code {restful-capability-mode}
  documentation 0..1 string
  security 0..1 CapabilityStatement.rest.security
  resource 0..* CapabilityStatement.rest.resource
  interaction 0..* CapabilityStatement.rest.interaction
  searchParam 0..* CapabilityStatement.rest.resource.searchParam
  operation 0..* CapabilityStatement.rest.operation
  compartment 0..* uri

part CapabilityStatement.rest.security : BackboneElement
  cors 0..1 boolean
  service 0..* CodeableConcept
  description 0..1 string
  certificate 0..* CapabilityStatement.rest.security.certificate

part CapabilityStatement.rest.security.certificate : BackboneElement
  type 0..1 code
  blob 0..1 base64Binary

part CapabilityStatement.rest.resource : BackboneElement
  type 1..1 code {resource-types}
  profile 0..1 Reference(StructureDefinition)
  documentation 0..1 markdown
  interaction 1..* CapabilityStatement.rest.resource.interaction
  versioning 0..1 code {versioning-policy}
  readHistory 0..1 boolean
  updateCreate 0..1 boolean
  conditionalCreate 0..1 boolean
  conditionalRead 0..1 code {conditional-read-status}
  conditionalUpdate 0..1 boolean
  conditionalDelete 0..1 code {conditional-delete-status}
  referencePolicy 0..* code {reference-handling-policy}
  searchInclude 0..* string
  searchRevInclude 0..* string
  searchParam 0..* CapabilityStatement.rest.resource.searchParam

part CapabilityStatement.rest.resource.interaction : BackboneElement
  code 1..1 code {type-restful-interaction}
  documentation 0..1 string

part CapabilityStatement.rest.resource.searchParam : BackboneElement
  name 1..1 string
  definition 0..1 uri
  type 1..1 code {search-param-type}
  documentation 0..1 string

part CapabilityStatement.rest.interaction : BackboneElement
  code 1..1 code {system-restful-interaction}
  documentation 0..1 string

part CapabilityStatement.rest.operation : BackboneElement
  name 1..1 string
  definition 1..1 Reference(OperationDefinition)

part CapabilityStatement.messaging : BackboneElement
  endpoint 0..* CapabilityStatement.messaging.endpoint
  reliableCache 0..1 unsignedInt
  documentation 0..1 string
  supportedMessage 0..* CapabilityStatement.messaging.supportedMessage
  event 0..* CapabilityStatement.messaging.event

part CapabilityStatement.messaging.endpoint : BackboneElement
  protocol 1..1 Coding
  address 1..1 uri

part CapabilityStatement.messaging.supportedMessage : BackboneElement
  mode 1..1 code {event-capability-mode}
  definition 1..1 Reference(MessageDefinition)

part CapabilityStatement.messaging.event : BackboneElement
  code 1..1 Coding
  category 0..1 code {message-significance-category}
  mode 1..1 code {event-capability-mode}
  focus 1..1 code {resource-types}
  request 1..1 Reference(StructureDefinition)
  response 1..1 Reference(StructureDefinition)
  documentation 0..1 string

part CapabilityStatement.document : BackboneElement
  mode 1..1 code {document-mode}
  documentation 0..1 string
  profile 1..1 Reference(StructureDefinition)

resource CarePlan : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(PlanDefinition|Questionnaire)
  basedOn 0..* Reference(CarePlan)
  replaces 0..* Reference(CarePlan)
  partOf 0..* Reference(CarePlan)
  status 1..1 code {care-plan-status} ?!
  intent 1..1 code {care-plan-intent} ?!
  category 0..* CodeableConcept
  title 0..1 string
  description 0..1 string
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  period 0..1 Period
  author 0..* Reference(Patient|Practitioner|RelatedPerson|Organization|CareTeam)
  careTeam 0..* Reference(CareTeam)
  addresses 0..* Reference(Condition)
  supportingInfo 0..* Reference
  goal 0..* Reference(Goal)
  activity 0..* CarePlan.activity
  note 0..* Annotation

part CarePlan.activity : BackboneElement
  outcomeCodeableConcept 0..* CodeableConcept
  outcomeReference 0..* Reference
  progress 0..* Annotation
  reference 0..1 Reference(Appointment|CommunicationRequest|DeviceRequest|MedicationRequest|NutritionOrder|Task|ProcedureRequest|ReferralRequest|VisionPrescription|RequestGroup)
  detail 0..1 CarePlan.activity.detail

part CarePlan.activity.detail : BackboneElement
  category 0..1 CodeableConcept
  definition 0..1 Reference(PlanDefinition|ActivityDefinition|Questionnaire)
  code 0..1 CodeableConcept
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition)
  goal 0..* Reference(Goal)
  status 1..1 code {care-plan-activity-status} ?!
  statusReason 0..1 string
  prohibited 0..1 boolean ?!
  scheduled[x] 0..1 Timing,Period,string
  location 0..1 Reference(Location)
  performer 0..* Reference(Practitioner|Organization|RelatedPerson|Patient|CareTeam)
  product[x] 0..1 CodeableConcept,Reference(Medication|Substance)
  dailyAmount 0..1 SimpleQuantity
  quantity 0..1 SimpleQuantity
  description 0..1 string

resource CareTeam : DomainResource
  identifier 0..* Identifier
  status 0..1 code {care-team-status} ?!
  category 0..* CodeableConcept
  name 0..1 string
  subject 0..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  period 0..1 Period
  participant 0..* CareTeam.participant
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition)
  managingOrganization 0..* Reference(Organization)
  note 0..* Annotation

part CareTeam.participant : BackboneElement
  role 0..1 CodeableConcept
  member 0..1 Reference(Practitioner|RelatedPerson|Patient|Organization|CareTeam)
  onBehalfOf 0..1 Reference(Organization)
  period 0..1 Period

resource ChargeItem : DomainResource
  identifier 0..1 Identifier
  definition 0..* uri
  status 1..1 code {chargeitem-status} ?!
  partOf 0..* Reference(ChargeItem)
  code 1..1 CodeableConcept
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period,Timing
  participant 0..* ChargeItem.participant
  performingOrganization 0..1 Reference(Organization)
  requestingOrganization 0..1 Reference(Organization)
  quantity 0..1 Quantity
  bodysite 0..* CodeableConcept
  factorOverride 0..1 decimal
  priceOverride 0..1 Money
  overrideReason 0..1 string
  enterer 0..1 Reference(Practitioner|Organization|Patient|Device|RelatedPerson)
  enteredDate 0..1 dateTime
  reason 0..* CodeableConcept
  service 0..* Reference(DiagnosticReport|ImagingStudy|Immunization|MedicationAdministration|MedicationDispense|Observation|Procedure|SupplyDelivery)
  account 0..* Reference(Account)
  note 0..* Annotation
  supportingInformation 0..* Reference

part ChargeItem.participant : BackboneElement
  role 0..1 CodeableConcept
  actor 1..1 Reference(Practitioner|Organization|Patient|Device|RelatedPerson)

resource Claim : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  type 0..1 CodeableConcept
  subType 0..* CodeableConcept
  use 0..1 code {claim-use}
  patient 0..1 Reference(Patient)
  billablePeriod 0..1 Period
  created 0..1 dateTime
  enterer 0..1 Reference(Practitioner)
  insurer 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  priority 0..1 CodeableConcept
  fundsReserve 0..1 CodeableConcept
  related 0..* Claim.related
  prescription 0..1 Reference(MedicationRequest|VisionPrescription)
  originalPrescription 0..1 Reference(MedicationRequest)
  payee 0..1 Claim.payee
  referral 0..1 Reference(ReferralRequest)
  facility 0..1 Reference(Location)
  careTeam 0..* Claim.careTeam
  information 0..* Claim.information
  diagnosis 0..* Claim.diagnosis
  procedure 0..* Claim.procedure
  insurance 0..* Claim.insurance
  accident 0..1 Claim.accident
  employmentImpacted 0..1 Period
  hospitalization 0..1 Period
  item 0..* Claim.item
  total 0..1 Money

part Claim.related : BackboneElement
  claim 0..1 Reference(Claim)
  relationship 0..1 CodeableConcept
  reference 0..1 Identifier

part Claim.payee : BackboneElement
  type 1..1 CodeableConcept
  resourceType 0..1 Coding
  party 0..1 Reference(Practitioner|Organization|Patient|RelatedPerson)

part Claim.careTeam : BackboneElement
  sequence 1..1 positiveInt
  provider 1..1 Reference(Practitioner|Organization)
  responsible 0..1 boolean
  role 0..1 CodeableConcept
  qualification 0..1 CodeableConcept

part Claim.information : BackboneElement
  sequence 1..1 positiveInt
  category 1..1 CodeableConcept
  code 0..1 CodeableConcept
  timing[x] 0..1 date,Period
  value[x] 0..1 string,Quantity,Attachment,Reference
  reason 0..1 CodeableConcept

part Claim.diagnosis : BackboneElement
  sequence 1..1 positiveInt
  diagnosis[x] 1..1 CodeableConcept,Reference(Condition)
  type 0..* CodeableConcept
  packageCode 0..1 CodeableConcept

part Claim.procedure : BackboneElement
  sequence 1..1 positiveInt
  date 0..1 dateTime
  procedure[x] 1..1 CodeableConcept,Reference(Procedure)

part Claim.insurance : BackboneElement
  sequence 1..1 positiveInt
  focal 1..1 boolean
  coverage 1..1 Reference(Coverage)
  businessArrangement 0..1 string
  preAuthRef 0..* string
  claimResponse 0..1 Reference(ClaimResponse)

part Claim.accident : BackboneElement
  date 1..1 date
  type 0..1 CodeableConcept
  location[x] 0..1 Address,Reference(Location)

part Claim.item : BackboneElement
  sequence 1..1 positiveInt
  careTeamLinkId 0..* positiveInt
  diagnosisLinkId 0..* positiveInt
  procedureLinkId 0..* positiveInt
  informationLinkId 0..* positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  serviced[x] 0..1 date,Period
  location[x] 0..1 CodeableConcept,Address,Reference(Location)
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)
  bodySite 0..1 CodeableConcept
  subSite 0..* CodeableConcept
  encounter 0..* Reference(Encounter)
  detail 0..* Claim.item.detail

part Claim.item.detail : BackboneElement
  sequence 1..1 positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)
  subDetail 0..* Claim.item.detail.subDetail

part Claim.item.detail.subDetail : BackboneElement
  sequence 1..1 positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)

resource ClaimResponse : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  patient 0..1 Reference(Patient)
  created 0..1 dateTime
  insurer 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  request 0..1 Reference(Claim)
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  payeeType 0..1 CodeableConcept
  item 0..* ClaimResponse.item
  addItem 0..* ClaimResponse.addItem
  error 0..* ClaimResponse.error
  totalCost 0..1 Money
  unallocDeductable 0..1 Money
  totalBenefit 0..1 Money
  payment 0..1 ClaimResponse.payment
  reserved 0..1 Coding
  form 0..1 CodeableConcept
  processNote 0..* ClaimResponse.processNote
  communicationRequest 0..* Reference(CommunicationRequest)
  insurance 0..* ClaimResponse.insurance

part ClaimResponse.item : BackboneElement
  sequenceLinkId 1..1 positiveInt
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication
  detail 0..* ClaimResponse.item.detail

part ClaimResponse.item.adjudication : BackboneElement
  category 1..1 CodeableConcept
  reason 0..1 CodeableConcept
  amount 0..1 Money
  value 0..1 decimal

part ClaimResponse.item.detail : BackboneElement
  sequenceLinkId 1..1 positiveInt
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication
  subDetail 0..* ClaimResponse.item.detail.subDetail

part ClaimResponse.item.detail.subDetail : BackboneElement
  sequenceLinkId 1..1 positiveInt
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication

part ClaimResponse.addItem : BackboneElement
  sequenceLinkId 0..* positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  fee 0..1 Money
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication
  detail 0..* ClaimResponse.addItem.detail

part ClaimResponse.addItem.detail : BackboneElement
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  fee 0..1 Money
  noteNumber 0..* positiveInt
  adjudication 0..* ClaimResponse.item.adjudication

part ClaimResponse.error : BackboneElement
  sequenceLinkId 0..1 positiveInt
  detailSequenceLinkId 0..1 positiveInt
  subdetailSequenceLinkId 0..1 positiveInt
  code 1..1 CodeableConcept

part ClaimResponse.payment : BackboneElement
  type 0..1 CodeableConcept
  adjustment 0..1 Money
  adjustmentReason 0..1 CodeableConcept
  date 0..1 date
  amount 0..1 Money
  identifier 0..1 Identifier

part ClaimResponse.processNote : BackboneElement
  number 0..1 positiveInt
  type 0..1 CodeableConcept
  text 0..1 string
  language 0..1 CodeableConcept

part ClaimResponse.insurance : BackboneElement
  sequence 1..1 positiveInt
  focal 1..1 boolean
  coverage 1..1 Reference(Coverage)
  businessArrangement 0..1 string
  preAuthRef 0..* string
  claimResponse 0..1 Reference(ClaimResponse)

resource ClinicalImpression : DomainResource
  identifier 0..* Identifier
  status 1..1 code {clinical-impression-status} ?!
  code 0..1 CodeableConcept
  description 0..1 string
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  effective[x] 0..1 dateTime,Period
  date 0..1 dateTime
  assessor 0..1 Reference(Practitioner)
  previous 0..1 Reference(ClinicalImpression)
  problem 0..* Reference(Condition|AllergyIntolerance)
  investigation 0..* ClinicalImpression.investigation
  protocol 0..* uri
  summary 0..1 string
  finding 0..* ClinicalImpression.finding
  prognosisCodeableConcept 0..* CodeableConcept
  prognosisReference 0..* Reference(RiskAssessment)
  action 0..* Reference(ReferralRequest|ProcedureRequest|Procedure|MedicationRequest|Appointment)
  note 0..* Annotation

part ClinicalImpression.investigation : BackboneElement
  code 1..1 CodeableConcept
  item 0..* Reference(Observation|QuestionnaireResponse|FamilyMemberHistory|DiagnosticReport|RiskAssessment|ImagingStudy)

part ClinicalImpression.finding : BackboneElement
  item[x] 1..1 CodeableConcept,Reference(Condition|Observation)
  basis 0..1 string

resource CodeSystem : DomainResource
  url 0..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  caseSensitive 0..1 boolean
  valueSet 0..1 uri
  hierarchyMeaning 0..1 code {codesystem-hierarchy-meaning}
  compositional 0..1 boolean
  versionNeeded 0..1 boolean
  content 1..1 code {codesystem-content-mode}
  count 0..1 unsignedInt
  filter 0..* CodeSystem.filter
  property 0..* CodeSystem.property
  concept 0..* CodeSystem.concept

part CodeSystem.filter : BackboneElement
  code 1..1 code
  description 0..1 string
  operator 1..* code {filter-operator}
  value 1..1 string

part CodeSystem.property : BackboneElement
  code 1..1 code
  uri 0..1 uri
  description 0..1 string
  type 1..1 code {concept-property-type}

part CodeSystem.concept : BackboneElement
  code 1..1 code
  display 0..1 string
  definition 0..1 string
  designation 0..* CodeSystem.concept.designation
  property 0..* CodeSystem.concept.property
  concept 0..* CodeSystem.concept

part CodeSystem.concept.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding
  value 1..1 string

part CodeSystem.concept.property : BackboneElement
  code 1..1 code
  value[x] 1..1 code,Coding,string,integer,boolean,dateTime

resource Communication : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(PlanDefinition|ActivityDefinition)
  basedOn 0..* Reference
  partOf 0..* Reference
  status 1..1 code {event-status} ?!
  notDone 0..1 boolean ?!
  notDoneReason 0..1 CodeableConcept
  category 0..* CodeableConcept
  medium 0..* CodeableConcept
  subject 0..1 Reference(Patient|Group)
  recipient 0..* Reference(Device|Organization|Patient|Practitioner|RelatedPerson|Group)
  topic 0..* Reference
  context 0..1 Reference(Encounter|EpisodeOfCare)
  sent 0..1 dateTime
  received 0..1 dateTime
  sender 0..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  payload 0..* Communication.payload
  note 0..* Annotation

part Communication.payload : BackboneElement
  content[x] 1..1 string,Attachment,Reference

resource CommunicationRequest : DomainResource
  identifier 0..* Identifier
  basedOn 0..* Reference
  replaces 0..* Reference(CommunicationRequest)
  groupIdentifier 0..1 Identifier
  status 1..1 code {request-status} ?!
  category 0..* CodeableConcept
  priority 0..1 code {request-priority}
  medium 0..* CodeableConcept
  subject 0..1 Reference(Patient|Group)
  recipient 0..* Reference(Device|Organization|Patient|Practitioner|RelatedPerson|Group|CareTeam)
  topic 0..* Reference
  context 0..1 Reference(Encounter|EpisodeOfCare)
  payload 0..* CommunicationRequest.payload
  occurrence[x] 0..1 dateTime,Period
  authoredOn 0..1 dateTime
  sender 0..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  requester 0..1 CommunicationRequest.requester
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  note 0..* Annotation

part CommunicationRequest.payload : BackboneElement
  content[x] 1..1 string,Attachment,Reference

part CommunicationRequest.requester : BackboneElement
  agent 1..1 Reference(Practitioner|Organization|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

resource CompartmentDefinition : DomainResource
  url 1..1 uri
  name 1..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  purpose 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  code 1..1 code {compartment-type}
  search 1..1 boolean
  resource 0..* CompartmentDefinition.resource

part CompartmentDefinition.resource : BackboneElement
  code 1..1 code {resource-types}
  param 0..* string
  documentation 0..1 string

resource Composition : DomainResource
  identifier 0..1 Identifier
  status 1..1 code {composition-status} ?!
  type 1..1 CodeableConcept
  class 0..1 CodeableConcept
  subject 1..1 Reference
  encounter 0..1 Reference(Encounter)
  date 1..1 dateTime
  author 1..* Reference(Practitioner|Device|Patient|RelatedPerson)
  title 1..1 string
  confidentiality 0..1 code {v3-ConfidentialityClassification} ?!
  attester 0..* Composition.attester
  custodian 0..1 Reference(Organization)
  relatesTo 0..* Composition.relatesTo
  event 0..* Composition.event
  section 0..* Composition.section

part Composition.attester : BackboneElement
  mode 1..* code {composition-attestation-mode}
  time 0..1 dateTime
  party 0..1 Reference(Patient|Practitioner|Organization)

part Composition.relatesTo : BackboneElement
  code 1..1 code {document-relationship-type}
  target[x] 1..1 Identifier,Reference(Composition)

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
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  source[x] 0..1 uri,Reference(ValueSet)
  target[x] 0..1 uri,Reference(ValueSet)
  group 0..* ConceptMap.group

part ConceptMap.group : BackboneElement
  source 0..1 uri
  sourceVersion 0..1 string
  target 0..1 uri
  targetVersion 0..1 string
  element 1..* ConceptMap.group.element
  unmapped 0..1 ConceptMap.group.unmapped

part ConceptMap.group.element : BackboneElement
  code 0..1 code
  display 0..1 string
  target 0..* ConceptMap.group.element.target

part ConceptMap.group.element.target : BackboneElement
  code 0..1 code
  display 0..1 string
  equivalence 0..1 code {concept-map-equivalence} ?!
  comment 0..1 string
  dependsOn 0..* ConceptMap.group.element.target.dependsOn
  product 0..* ConceptMap.group.element.target.dependsOn

part ConceptMap.group.element.target.dependsOn : BackboneElement
  property 1..1 uri
  system 0..1 uri
  code 1..1 string
  display 0..1 string

part ConceptMap.group.unmapped : BackboneElement
  mode 1..1 code {conceptmap-unmapped-mode}
  code 0..1 code
  display 0..1 string
  url 0..1 uri

resource Condition : DomainResource
  identifier 0..* Identifier
  clinicalStatus 0..1 code {condition-clinical} ?!
  verificationStatus 0..1 code {condition-ver-status} ?!
  category 0..* CodeableConcept
  severity 0..1 CodeableConcept
  code 0..1 CodeableConcept
  bodySite 0..* CodeableConcept
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  onset[x] 0..1 dateTime,Age,Period,Range,string
  abatement[x] 0..1 dateTime,Age,boolean,Period,Range,string
  assertedDate 0..1 dateTime
  asserter 0..1 Reference(Practitioner|Patient|RelatedPerson)
  stage 0..1 Condition.stage
  evidence 0..* Condition.evidence
  note 0..* Annotation

part Condition.stage : BackboneElement
  summary 0..1 CodeableConcept
  assessment 0..* Reference(ClinicalImpression|DiagnosticReport|Observation)

part Condition.evidence : BackboneElement
  code 0..* CodeableConcept
  detail 0..* Reference

resource Consent : DomainResource
  identifier 0..1 Identifier
  status 1..1 code {consent-state-codes} ?!
  category 0..* CodeableConcept
  patient 1..1 Reference(Patient)
  period 0..1 Period
  dateTime 0..1 dateTime
  consentingParty 0..* Reference(Organization|Patient|Practitioner|RelatedPerson)
  actor 0..* Consent.actor
  action 0..* CodeableConcept
  organization 0..* Reference(Organization)
  source[x] 0..1 Attachment,Identifier,Reference(Consent|DocumentReference|Contract|QuestionnaireResponse)
  policy 0..* Consent.policy
  policyRule 0..1 uri
  securityLabel 0..* Coding
  purpose 0..* Coding
  dataPeriod 0..1 Period
  data 0..* Consent.data
  except 0..* Consent.except

part Consent.actor : BackboneElement
  role 1..1 CodeableConcept
  reference 1..1 Reference(Device|Group|CareTeam|Organization|Patient|Practitioner|RelatedPerson)

part Consent.policy : BackboneElement
  authority 0..1 uri
  uri 0..1 uri

part Consent.data : BackboneElement
  meaning 1..1 code {consent-data-meaning}
  reference 1..1 Reference

part Consent.except : BackboneElement
  type 1..1 code {consent-except-type}
  period 0..1 Period
  actor 0..* Consent.except.actor
  action 0..* CodeableConcept
  securityLabel 0..* Coding
  purpose 0..* Coding
  class 0..* Coding
  code 0..* Coding
  dataPeriod 0..1 Period
  data 0..* Consent.except.data

part Consent.except.actor : BackboneElement
  role 1..1 CodeableConcept
  reference 1..1 Reference(Device|Group|CareTeam|Organization|Patient|Practitioner|RelatedPerson)

part Consent.except.data : BackboneElement
  meaning 1..1 code {consent-data-meaning}
  reference 1..1 Reference

resource Contract : DomainResource
  identifier 0..1 Identifier
  status 0..1 code {contract-status} ?!
  issued 0..1 dateTime
  applies 0..1 Period
  subject 0..* Reference
  topic 0..* Reference
  authority 0..* Reference(Organization)
  domain 0..* Reference(Location)
  type 0..1 CodeableConcept
  subType 0..* CodeableConcept
  action 0..* CodeableConcept
  actionReason 0..* CodeableConcept
  decisionType 0..1 CodeableConcept
  contentDerivative 0..1 CodeableConcept
  securityLabel 0..* Coding
  agent 0..* Contract.agent
  signer 0..* Contract.signer
  valuedItem 0..* Contract.valuedItem
  term 0..* Contract.term
  binding[x] 0..1 Attachment,Reference(Composition|DocumentReference|QuestionnaireResponse)
  friendly 0..* Contract.friendly
  legal 0..* Contract.legal
  rule 0..* Contract.rule

part Contract.agent : BackboneElement
  actor 1..1 Reference(Contract|Device|Group|Location|Organization|Patient|Practitioner|RelatedPerson|Substance)
  role 0..* CodeableConcept

part Contract.signer : BackboneElement
  type 1..1 Coding
  party 1..1 Reference(Organization|Patient|Practitioner|RelatedPerson)
  signature 1..* Signature

part Contract.valuedItem : BackboneElement
  entity[x] 0..1 CodeableConcept,Reference
  identifier 0..1 Identifier
  effectiveTime 0..1 dateTime
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Money

part Contract.term : BackboneElement
  identifier 0..1 Identifier
  issued 0..1 dateTime
  applies 0..1 Period
  type 0..1 CodeableConcept
  subType 0..1 CodeableConcept
  topic 0..* Reference
  action 0..* CodeableConcept
  actionReason 0..* CodeableConcept
  securityLabel 0..* Coding
  agent 0..* Contract.term.agent
  text 0..1 string
  valuedItem 0..* Contract.term.valuedItem
  group 0..* Contract.term

part Contract.term.agent : BackboneElement
  actor 1..1 Reference(Contract|Device|Group|Location|Organization|Patient|Practitioner|RelatedPerson|Substance)
  role 0..* CodeableConcept

part Contract.term.valuedItem : BackboneElement
  entity[x] 0..1 CodeableConcept,Reference
  identifier 0..1 Identifier
  effectiveTime 0..1 dateTime
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  points 0..1 decimal
  net 0..1 Money

part Contract.friendly : BackboneElement
  content[x] 1..1 Attachment,Reference(Composition|DocumentReference|QuestionnaireResponse)

part Contract.legal : BackboneElement
  content[x] 1..1 Attachment,Reference(Composition|DocumentReference|QuestionnaireResponse)

part Contract.rule : BackboneElement
  content[x] 1..1 Attachment,Reference(DocumentReference)

resource Coverage : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  type 0..1 CodeableConcept
  policyHolder 0..1 Reference(Patient|RelatedPerson|Organization)
  subscriber 0..1 Reference(Patient|RelatedPerson)
  subscriberId 0..1 string
  beneficiary 0..1 Reference(Patient)
  relationship 0..1 CodeableConcept
  period 0..1 Period
  payor 0..* Reference(Organization|Patient|RelatedPerson)
  grouping 0..1 Coverage.grouping
  dependent 0..1 string
  sequence 0..1 string
  order 0..1 positiveInt
  network 0..1 string
  contract 0..* Reference(Contract)

part Coverage.grouping : BackboneElement
  group 0..1 string
  groupDisplay 0..1 string
  subGroup 0..1 string
  subGroupDisplay 0..1 string
  plan 0..1 string
  planDisplay 0..1 string
  subPlan 0..1 string
  subPlanDisplay 0..1 string
  class 0..1 string
  classDisplay 0..1 string
  subClass 0..1 string
  subClassDisplay 0..1 string

resource DataElement : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  name 0..1 string
  title 0..1 string
  contact 0..* ContactDetail
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  copyright 0..1 markdown
  stringency 0..1 code {dataelement-stringency}
  mapping 0..* DataElement.mapping
  element 1..* ElementDefinition

part DataElement.mapping : BackboneElement
  identity 1..1 id
  uri 0..1 uri
  name 0..1 string
  comment 0..1 string

resource DetectedIssue : DomainResource
  identifier 0..1 Identifier
  status 1..1 code {observation-status} ?!
  category 0..1 CodeableConcept
  severity 0..1 code {detectedissue-severity}
  patient 0..1 Reference(Patient)
  date 0..1 dateTime
  author 0..1 Reference(Practitioner|Device)
  implicated 0..* Reference
  detail 0..1 string
  reference 0..1 uri
  mitigation 0..* DetectedIssue.mitigation

part DetectedIssue.mitigation : BackboneElement
  action 1..1 CodeableConcept
  date 0..1 dateTime
  author 0..1 Reference(Practitioner)

resource Device : DomainResource
  identifier 0..* Identifier
  udi 0..1 Device.udi
  status 0..1 code {device-status} ?!
  type 0..1 CodeableConcept
  lotNumber 0..1 string
  manufacturer 0..1 string
  manufactureDate 0..1 dateTime
  expirationDate 0..1 dateTime
  model 0..1 string
  version 0..1 string
  patient 0..1 Reference(Patient)
  owner 0..1 Reference(Organization)
  contact 0..* ContactPoint
  location 0..1 Reference(Location)
  url 0..1 uri
  note 0..* Annotation
  safety 0..* CodeableConcept

part Device.udi : BackboneElement
  deviceIdentifier 0..1 string
  name 0..1 string
  jurisdiction 0..1 uri
  carrierHRF 0..1 string
  carrierAIDC 0..1 base64Binary
  issuer 0..1 uri
  entryType 0..1 code {udi-entry-type}

resource DeviceComponent : DomainResource
  identifier 1..1 Identifier
  type 1..1 CodeableConcept
  lastSystemChange 0..1 instant
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
  identifier 1..1 Identifier
  type 1..1 CodeableConcept
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

resource DeviceRequest : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(ActivityDefinition|PlanDefinition)
  basedOn 0..* Reference
  priorRequest 0..* Reference
  groupIdentifier 0..1 Identifier
  status 0..1 code {request-status} ?!
  intent 1..1 CodeableConcept ?!
  priority 0..1 code {request-priority}
  code[x] 1..1 Reference(Device),CodeableConcept
  subject 1..1 Reference(Patient|Group|Location|Device)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period,Timing
  authoredOn 0..1 dateTime
  requester 0..1 DeviceRequest.requester
  performerType 0..1 CodeableConcept
  performer 0..1 Reference(Practitioner|Organization|Patient|Device|RelatedPerson|HealthcareService)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference
  supportingInfo 0..* Reference
  note 0..* Annotation
  relevantHistory 0..* Reference(Provenance)

part DeviceRequest.requester : BackboneElement
  agent 1..1 Reference(Device|Practitioner|Organization)
  onBehalfOf 0..1 Reference(Organization)

resource DeviceUseStatement : DomainResource
  identifier 0..* Identifier
  status 1..1 code {device-statement-status} ?!
  subject 1..1 Reference(Patient|Group)
  whenUsed 0..1 Period
  timing[x] 0..1 Timing,Period,dateTime
  recordedOn 0..1 dateTime
  source 0..1 Reference(Patient|Practitioner|RelatedPerson)
  device 1..1 Reference(Device)
  indication 0..* CodeableConcept
  bodySite 0..1 CodeableConcept
  note 0..* Annotation

resource DiagnosticReport : DomainResource
  identifier 0..* Identifier
  basedOn 0..* Reference(CarePlan|ImmunizationRecommendation|MedicationRequest|NutritionOrder|ProcedureRequest|ReferralRequest)
  status 1..1 code {diagnostic-report-status} ?!
  category 0..1 CodeableConcept
  code 1..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  effective[x] 0..1 dateTime,Period
  issued 0..1 instant
  performer 0..* DiagnosticReport.performer
  specimen 0..* Reference(Specimen)
  result 0..* Reference(Observation)
  imagingStudy 0..* Reference(ImagingStudy|ImagingManifest)
  image 0..* DiagnosticReport.image
  conclusion 0..1 string
  codedDiagnosis 0..* CodeableConcept
  presentedForm 0..* Attachment

part DiagnosticReport.performer : BackboneElement
  role 0..1 CodeableConcept
  actor 1..1 Reference(Practitioner|Organization)

part DiagnosticReport.image : BackboneElement
  comment 0..1 string
  link 1..1 Reference(Media)

resource DocumentManifest : DomainResource
  masterIdentifier 0..1 Identifier
  identifier 0..* Identifier
  status 1..1 code {document-reference-status} ?!
  type 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Practitioner|Group|Device)
  created 0..1 dateTime
  author 0..* Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  recipient 0..* Reference(Patient|Practitioner|RelatedPerson|Organization)
  source 0..1 uri
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
  status 1..1 code {document-reference-status} ?!
  docStatus 0..1 code {composition-status}
  type 1..1 CodeableConcept
  class 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Practitioner|Group|Device)
  created 0..1 dateTime
  indexed 1..1 instant
  author 0..* Reference(Practitioner|Organization|Device|Patient|RelatedPerson)
  authenticator 0..1 Reference(Practitioner|Organization)
  custodian 0..1 Reference(Organization)
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
  format 0..1 Coding

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
  status 0..1 code {fm-status} ?!
  priority 0..1 CodeableConcept
  patient 0..1 Reference(Patient)
  serviced[x] 0..1 date,Period
  created 0..1 dateTime
  enterer 0..1 Reference(Practitioner)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  insurer 0..1 Reference(Organization)
  facility 0..1 Reference(Location)
  coverage 0..1 Reference(Coverage)
  businessArrangement 0..1 string
  benefitCategory 0..1 CodeableConcept
  benefitSubCategory 0..1 CodeableConcept

resource EligibilityResponse : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  created 0..1 dateTime
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  request 0..1 Reference(EligibilityRequest)
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  insurer 0..1 Reference(Organization)
  inforce 0..1 boolean
  insurance 0..* EligibilityResponse.insurance
  form 0..1 CodeableConcept
  error 0..* EligibilityResponse.error

part EligibilityResponse.insurance : BackboneElement
  coverage 0..1 Reference(Coverage)
  contract 0..1 Reference(Contract)
  benefitBalance 0..* EligibilityResponse.insurance.benefitBalance

part EligibilityResponse.insurance.benefitBalance : BackboneElement
  category 1..1 CodeableConcept
  subCategory 0..1 CodeableConcept
  excluded 0..1 boolean
  name 0..1 string
  description 0..1 string
  network 0..1 CodeableConcept
  unit 0..1 CodeableConcept
  term 0..1 CodeableConcept
  financial 0..* EligibilityResponse.insurance.benefitBalance.financial

part EligibilityResponse.insurance.benefitBalance.financial : BackboneElement
  type 1..1 CodeableConcept
  allowed[x] 0..1 unsignedInt,string,Money
  used[x] 0..1 unsignedInt,Money

part EligibilityResponse.error : BackboneElement
  code 1..1 CodeableConcept

resource Encounter : DomainResource
  identifier 0..* Identifier
  status 1..1 code {encounter-status} ?!
  statusHistory 0..* Encounter.statusHistory
  class 0..1 Coding
  classHistory 0..* Encounter.classHistory
  type 0..* CodeableConcept
  priority 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Group)
  episodeOfCare 0..* Reference(EpisodeOfCare)
  incomingReferral 0..* Reference(ReferralRequest)
  participant 0..* Encounter.participant
  appointment 0..1 Reference(Appointment)
  period 0..1 Period
  length 0..1 Duration
  reason 0..* CodeableConcept
  diagnosis 0..* Encounter.diagnosis
  account 0..* Reference(Account)
  hospitalization 0..1 Encounter.hospitalization
  location 0..* Encounter.location
  serviceProvider 0..1 Reference(Organization)
  partOf 0..1 Reference(Encounter)

part Encounter.statusHistory : BackboneElement
  status 1..1 code {encounter-status}
  period 1..1 Period

part Encounter.classHistory : BackboneElement
  class 1..1 Coding
  period 1..1 Period

part Encounter.participant : BackboneElement
  type 0..* CodeableConcept
  period 0..1 Period
  individual 0..1 Reference(Practitioner|RelatedPerson)

part Encounter.diagnosis : BackboneElement
  condition 1..1 Reference(Condition|Procedure)
  role 0..1 CodeableConcept
  rank 0..1 positiveInt

part Encounter.hospitalization : BackboneElement
  preAdmissionIdentifier 0..1 Identifier
  origin 0..1 Reference(Location)
  admitSource 0..1 CodeableConcept
  reAdmission 0..1 CodeableConcept
  dietPreference 0..* CodeableConcept
  specialCourtesy 0..* CodeableConcept
  specialArrangement 0..* CodeableConcept
  destination 0..1 Reference(Location)
  dischargeDisposition 0..1 CodeableConcept

part Encounter.location : BackboneElement
  location 1..1 Reference(Location)
  status 0..1 code {encounter-location-status}
  period 0..1 Period

resource Endpoint : DomainResource
  identifier 0..* Identifier
  status 1..1 code {endpoint-status} ?!
  connectionType 1..1 Coding
  name 0..1 string
  managingOrganization 0..1 Reference(Organization)
  contact 0..* ContactPoint
  period 0..1 Period
  payloadType 1..* CodeableConcept
  payloadMimeType 0..* code
  address 1..1 uri
  header 0..* string

resource EnrollmentRequest : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  created 0..1 dateTime
  insurer 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  subject 0..1 Reference(Patient)
  coverage 0..1 Reference(Coverage)

resource EnrollmentResponse : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  request 0..1 Reference(EnrollmentRequest)
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)

resource EpisodeOfCare : DomainResource
  identifier 0..* Identifier
  status 1..1 code {episode-of-care-status} ?!
  statusHistory 0..* EpisodeOfCare.statusHistory
  type 0..* CodeableConcept
  diagnosis 0..* EpisodeOfCare.diagnosis
  patient 1..1 Reference(Patient)
  managingOrganization 0..1 Reference(Organization)
  period 0..1 Period
  referralRequest 0..* Reference(ReferralRequest)
  careManager 0..1 Reference(Practitioner)
  team 0..* Reference(CareTeam)
  account 0..* Reference(Account)

part EpisodeOfCare.statusHistory : BackboneElement
  status 1..1 code {episode-of-care-status}
  period 1..1 Period

part EpisodeOfCare.diagnosis : BackboneElement
  condition 1..1 Reference(Condition)
  role 0..1 CodeableConcept
  rank 0..1 positiveInt

resource ExpansionProfile : DomainResource
  url 0..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  fixedVersion 0..* ExpansionProfile.fixedVersion
  excludedSystem 0..1 ExpansionProfile.excludedSystem
  includeDesignations 0..1 boolean
  designation 0..1 ExpansionProfile.designation
  includeDefinition 0..1 boolean
  activeOnly 0..1 boolean
  excludeNested 0..1 boolean
  excludeNotForUI 0..1 boolean
  excludePostCoordinated 0..1 boolean
  displayLanguage 0..1 code
  limitedExpansion 0..1 boolean

part ExpansionProfile.fixedVersion : BackboneElement
  system 1..1 uri
  version 1..1 string
  mode 1..1 code {system-version-processing-mode}

part ExpansionProfile.excludedSystem : BackboneElement
  system 1..1 uri
  version 0..1 string

part ExpansionProfile.designation : BackboneElement
  include 0..1 ExpansionProfile.designation.include
  exclude 0..1 ExpansionProfile.designation.exclude

part ExpansionProfile.designation.include : BackboneElement
  designation 0..* ExpansionProfile.designation.include.designation

part ExpansionProfile.designation.include.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding

part ExpansionProfile.designation.exclude : BackboneElement
  designation 0..* ExpansionProfile.designation.exclude.designation

part ExpansionProfile.designation.exclude.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding

resource ExplanationOfBenefit : DomainResource
  identifier 0..* Identifier
  status 0..1 code {explanationofbenefit-status} ?!
  type 0..1 CodeableConcept
  subType 0..* CodeableConcept
  patient 0..1 Reference(Patient)
  billablePeriod 0..1 Period
  created 0..1 dateTime
  enterer 0..1 Reference(Practitioner)
  insurer 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  referral 0..1 Reference(ReferralRequest)
  facility 0..1 Reference(Location)
  claim 0..1 Reference(Claim)
  claimResponse 0..1 Reference(ClaimResponse)
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  related 0..* ExplanationOfBenefit.related
  prescription 0..1 Reference(MedicationRequest|VisionPrescription)
  originalPrescription 0..1 Reference(MedicationRequest)
  payee 0..1 ExplanationOfBenefit.payee
  information 0..* ExplanationOfBenefit.information
  careTeam 0..* ExplanationOfBenefit.careTeam
  diagnosis 0..* ExplanationOfBenefit.diagnosis
  procedure 0..* ExplanationOfBenefit.procedure
  precedence 0..1 positiveInt
  insurance 0..1 ExplanationOfBenefit.insurance
  accident 0..1 ExplanationOfBenefit.accident
  employmentImpacted 0..1 Period
  hospitalization 0..1 Period
  item 0..* ExplanationOfBenefit.item
  addItem 0..* ExplanationOfBenefit.addItem
  totalCost 0..1 Money
  unallocDeductable 0..1 Money
  totalBenefit 0..1 Money
  payment 0..1 ExplanationOfBenefit.payment
  form 0..1 CodeableConcept
  processNote 0..* ExplanationOfBenefit.processNote
  benefitBalance 0..* ExplanationOfBenefit.benefitBalance

part ExplanationOfBenefit.related : BackboneElement
  claim 0..1 Reference(Claim)
  relationship 0..1 CodeableConcept
  reference 0..1 Identifier

part ExplanationOfBenefit.payee : BackboneElement
  type 0..1 CodeableConcept
  resourceType 0..1 CodeableConcept
  party 0..1 Reference(Practitioner|Organization|Patient|RelatedPerson)

part ExplanationOfBenefit.information : BackboneElement
  sequence 1..1 positiveInt
  category 1..1 CodeableConcept
  code 0..1 CodeableConcept
  timing[x] 0..1 date,Period
  value[x] 0..1 string,Quantity,Attachment,Reference
  reason 0..1 Coding

part ExplanationOfBenefit.careTeam : BackboneElement
  sequence 1..1 positiveInt
  provider 1..1 Reference(Practitioner|Organization)
  responsible 0..1 boolean
  role 0..1 CodeableConcept
  qualification 0..1 CodeableConcept

part ExplanationOfBenefit.diagnosis : BackboneElement
  sequence 1..1 positiveInt
  diagnosis[x] 1..1 CodeableConcept,Reference(Condition)
  type 0..* CodeableConcept
  packageCode 0..1 CodeableConcept

part ExplanationOfBenefit.procedure : BackboneElement
  sequence 1..1 positiveInt
  date 0..1 dateTime
  procedure[x] 1..1 CodeableConcept,Reference(Procedure)

part ExplanationOfBenefit.insurance : BackboneElement
  coverage 0..1 Reference(Coverage)
  preAuthRef 0..* string

part ExplanationOfBenefit.accident : BackboneElement
  date 0..1 date
  type 0..1 CodeableConcept
  location[x] 0..1 Address,Reference(Location)

part ExplanationOfBenefit.item : BackboneElement
  sequence 1..1 positiveInt
  careTeamLinkId 0..* positiveInt
  diagnosisLinkId 0..* positiveInt
  procedureLinkId 0..* positiveInt
  informationLinkId 0..* positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  serviced[x] 0..1 date,Period
  location[x] 0..1 CodeableConcept,Address,Reference(Location)
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)
  bodySite 0..1 CodeableConcept
  subSite 0..* CodeableConcept
  encounter 0..* Reference(Encounter)
  noteNumber 0..* positiveInt
  adjudication 0..* ExplanationOfBenefit.item.adjudication
  detail 0..* ExplanationOfBenefit.item.detail

part ExplanationOfBenefit.item.adjudication : BackboneElement
  category 1..1 CodeableConcept
  reason 0..1 CodeableConcept
  amount 0..1 Money
  value 0..1 decimal

part ExplanationOfBenefit.item.detail : BackboneElement
  sequence 1..1 positiveInt
  type 1..1 CodeableConcept
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)
  noteNumber 0..* positiveInt
  adjudication 0..* ExplanationOfBenefit.item.adjudication
  subDetail 0..* ExplanationOfBenefit.item.detail.subDetail

part ExplanationOfBenefit.item.detail.subDetail : BackboneElement
  sequence 1..1 positiveInt
  type 1..1 CodeableConcept
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  programCode 0..* CodeableConcept
  quantity 0..1 SimpleQuantity
  unitPrice 0..1 Money
  factor 0..1 decimal
  net 0..1 Money
  udi 0..* Reference(Device)
  noteNumber 0..* positiveInt
  adjudication 0..* ExplanationOfBenefit.item.adjudication

part ExplanationOfBenefit.addItem : BackboneElement
  sequenceLinkId 0..* positiveInt
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  fee 0..1 Money
  noteNumber 0..* positiveInt
  adjudication 0..* ExplanationOfBenefit.item.adjudication
  detail 0..* ExplanationOfBenefit.addItem.detail

part ExplanationOfBenefit.addItem.detail : BackboneElement
  revenue 0..1 CodeableConcept
  category 0..1 CodeableConcept
  service 0..1 CodeableConcept
  modifier 0..* CodeableConcept
  fee 0..1 Money
  noteNumber 0..* positiveInt
  adjudication 0..* ExplanationOfBenefit.item.adjudication

part ExplanationOfBenefit.payment : BackboneElement
  type 0..1 CodeableConcept
  adjustment 0..1 Money
  adjustmentReason 0..1 CodeableConcept
  date 0..1 date
  amount 0..1 Money
  identifier 0..1 Identifier

part ExplanationOfBenefit.processNote : BackboneElement
  number 0..1 positiveInt
  type 0..1 CodeableConcept
  text 0..1 string
  language 0..1 CodeableConcept

part ExplanationOfBenefit.benefitBalance : BackboneElement
  category 1..1 CodeableConcept
  subCategory 0..1 CodeableConcept
  excluded 0..1 boolean
  name 0..1 string
  description 0..1 string
  network 0..1 CodeableConcept
  unit 0..1 CodeableConcept
  term 0..1 CodeableConcept
  financial 0..* ExplanationOfBenefit.benefitBalance.financial

part ExplanationOfBenefit.benefitBalance.financial : BackboneElement
  type 1..1 CodeableConcept
  allowed[x] 0..1 unsignedInt,string,Money
  used[x] 0..1 unsignedInt,Money

resource FamilyMemberHistory : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(PlanDefinition|Questionnaire)
  status 1..1 code {history-status} ?!
  notDone 0..1 boolean ?!
  notDoneReason 0..1 CodeableConcept
  patient 1..1 Reference(Patient)
  date 0..1 dateTime
  name 0..1 string
  relationship 1..1 CodeableConcept
  gender 0..1 code {administrative-gender}
  born[x] 0..1 Period,date,string
  age[x] 0..1 Age,Range,string
  estimatedAge 0..1 boolean ?!
  deceased[x] 0..1 boolean,Age,Range,date,string
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation|AllergyIntolerance|QuestionnaireResponse)
  note 0..* Annotation
  condition 0..* FamilyMemberHistory.condition

part FamilyMemberHistory.condition : BackboneElement
  code 1..1 CodeableConcept
  outcome 0..1 CodeableConcept
  onset[x] 0..1 Age,Range,Period,string
  note 0..* Annotation

resource Flag : DomainResource
  identifier 0..* Identifier
  status 1..1 code {flag-status} ?!
  category 0..1 CodeableConcept
  code 1..1 CodeableConcept
  subject 1..1 Reference(Patient|Location|Group|Organization|Practitioner|PlanDefinition|Medication|Procedure)
  period 0..1 Period
  encounter 0..1 Reference(Encounter)
  author 0..1 Reference(Device|Organization|Patient|Practitioner)

resource Goal : DomainResource
  identifier 0..* Identifier
  status 1..1 code {goal-status} ?!
  category 0..* CodeableConcept
  priority 0..1 CodeableConcept
  description 1..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Organization)
  start[x] 0..1 date,CodeableConcept
  target 0..1 Goal.target
  statusDate 0..1 date
  statusReason 0..1 string
  expressedBy 0..1 Reference(Patient|Practitioner|RelatedPerson)
  addresses 0..* Reference(Condition|Observation|MedicationStatement|NutritionOrder|ProcedureRequest|RiskAssessment)
  note 0..* Annotation
  outcomeCode 0..* CodeableConcept
  outcomeReference 0..* Reference(Observation)

part Goal.target : BackboneElement
  measure 0..1 CodeableConcept
  detail[x] 0..1 Quantity,Range,CodeableConcept
  due[x] 0..1 date,Duration

resource GraphDefinition : DomainResource
  url 0..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  start 1..1 code {resource-types}
  profile 0..1 uri
  link 0..* GraphDefinition.link

part GraphDefinition.link : BackboneElement
  path 1..1 string
  sliceName 0..1 string
  min 0..1 integer
  max 0..1 string
  description 0..1 string
  target 1..* GraphDefinition.link.target

part GraphDefinition.link.target : BackboneElement
  type 1..1 code {resource-types}
  profile 0..1 uri
  compartment 0..* GraphDefinition.link.target.compartment
  link 0..* GraphDefinition.link

part GraphDefinition.link.target.compartment : BackboneElement
  code 1..1 code {compartment-type}
  rule 1..1 code {graph-compartment-rule}
  expression 0..1 string
  description 0..1 string

resource Group : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean
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

resource GuidanceResponse : DomainResource
  requestId 0..1 id
  identifier 0..1 Identifier
  module 1..1 Reference(ServiceDefinition)
  status 1..1 code {guidance-response-status} ?!
  subject 0..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrenceDateTime 0..1 dateTime
  performer 0..1 Reference(Device)
  reason[x] 0..1 CodeableConcept,Reference
  note 0..* Annotation
  evaluationMessage 0..* Reference(OperationOutcome)
  outputParameters 0..1 Reference(Parameters)
  result 0..1 Reference(CarePlan|RequestGroup)
  dataRequirement 0..* DataRequirement

resource HealthcareService : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  providedBy 0..1 Reference(Organization)
  category 0..1 CodeableConcept
  type 0..* CodeableConcept
  specialty 0..* CodeableConcept
  location 0..* Reference(Location)
  name 0..1 string
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
  appointmentRequired 0..1 boolean
  availableTime 0..* HealthcareService.availableTime
  notAvailable 0..* HealthcareService.notAvailable
  availabilityExceptions 0..1 string
  endpoint 0..* Reference(Endpoint)

part HealthcareService.availableTime : BackboneElement
  daysOfWeek 0..* code {days-of-week}
  allDay 0..1 boolean
  availableStartTime 0..1 time
  availableEndTime 0..1 time

part HealthcareService.notAvailable : BackboneElement
  description 1..1 string
  during 0..1 Period

resource ImagingManifest : DomainResource
  identifier 0..1 Identifier
  patient 1..1 Reference(Patient)
  authoringTime 0..1 dateTime
  author 0..1 Reference(Practitioner|Device|Organization|Patient|RelatedPerson)
  description 0..1 string
  study 1..* ImagingManifest.study

part ImagingManifest.study : BackboneElement
  uid 1..1 oid
  imagingStudy 0..1 Reference(ImagingStudy)
  endpoint 0..* Reference(Endpoint)
  series 1..* ImagingManifest.study.series

part ImagingManifest.study.series : BackboneElement
  uid 1..1 oid
  endpoint 0..* Reference(Endpoint)
  instance 1..* ImagingManifest.study.series.instance

part ImagingManifest.study.series.instance : BackboneElement
  sopClass 1..1 oid
  uid 1..1 oid

resource ImagingStudy : DomainResource
  uid 1..1 oid
  accession 0..1 Identifier
  identifier 0..* Identifier
  availability 0..1 code {instance-availability}
  modalityList 0..* Coding
  patient 1..1 Reference(Patient)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  started 0..1 dateTime
  basedOn 0..* Reference(ReferralRequest|CarePlan|ProcedureRequest)
  referrer 0..1 Reference(Practitioner)
  interpreter 0..* Reference(Practitioner)
  endpoint 0..* Reference(Endpoint)
  numberOfSeries 0..1 unsignedInt
  numberOfInstances 0..1 unsignedInt
  procedureReference 0..* Reference(Procedure)
  procedureCode 0..* CodeableConcept
  reason 0..1 CodeableConcept
  description 0..1 string
  series 0..* ImagingStudy.series

part ImagingStudy.series : BackboneElement
  uid 1..1 oid
  number 0..1 unsignedInt
  modality 1..1 Coding
  description 0..1 string
  numberOfInstances 0..1 unsignedInt
  availability 0..1 code {instance-availability}
  endpoint 0..* Reference(Endpoint)
  bodySite 0..1 Coding
  laterality 0..1 Coding
  started 0..1 dateTime
  performer 0..* Reference(Practitioner)
  instance 0..* ImagingStudy.series.instance

part ImagingStudy.series.instance : BackboneElement
  uid 1..1 oid
  number 0..1 unsignedInt
  sopClass 1..1 oid
  title 0..1 string

resource Immunization : DomainResource
  identifier 0..* Identifier
  status 1..1 code {immunization-status} ?!
  notGiven 1..1 boolean ?!
  vaccineCode 1..1 CodeableConcept
  patient 1..1 Reference(Patient)
  encounter 0..1 Reference(Encounter)
  date 0..1 dateTime
  primarySource 1..1 boolean
  reportOrigin 0..1 CodeableConcept
  location 0..1 Reference(Location)
  manufacturer 0..1 Reference(Organization)
  lotNumber 0..1 string
  expirationDate 0..1 date
  site 0..1 CodeableConcept
  route 0..1 CodeableConcept
  doseQuantity 0..1 SimpleQuantity
  practitioner 0..* Immunization.practitioner
  note 0..* Annotation
  explanation 0..1 Immunization.explanation
  reaction 0..* Immunization.reaction
  vaccinationProtocol 0..* Immunization.vaccinationProtocol

part Immunization.practitioner : BackboneElement
  role 0..1 CodeableConcept
  actor 1..1 Reference(Practitioner)

part Immunization.explanation : BackboneElement
  reason 0..* CodeableConcept
  reasonNotGiven 0..* CodeableConcept

part Immunization.reaction : BackboneElement
  date 0..1 dateTime
  detail 0..1 Reference(Observation)
  reported 0..1 boolean

part Immunization.vaccinationProtocol : BackboneElement
  doseSequence 0..1 positiveInt
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
  vaccineCode 0..1 CodeableConcept
  targetDisease 0..1 CodeableConcept
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
  doseSequence 0..1 positiveInt
  description 0..1 string
  authority 0..1 Reference(Organization)
  series 0..1 string

resource ImplementationGuide : DomainResource
  url 1..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  copyright 0..1 markdown
  fhirVersion 0..1 id
  dependency 0..* ImplementationGuide.dependency
  package 0..* ImplementationGuide.package
  global 0..* ImplementationGuide.global
  binary 0..* uri
  page 0..1 ImplementationGuide.page

part ImplementationGuide.dependency : BackboneElement
  type 1..1 code {guide-dependency-type}
  uri 1..1 uri

part ImplementationGuide.package : BackboneElement
  name 1..1 string
  description 0..1 string
  resource 1..* ImplementationGuide.package.resource

part ImplementationGuide.package.resource : BackboneElement
  example 1..1 boolean
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
  title 1..1 string
  kind 1..1 code {guide-page-kind}
  type 0..* code {resource-types}
  package 0..* string
  format 0..1 code
  page 0..* ImplementationGuide.page

resource Library : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  type 1..1 CodeableConcept
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  usage 0..1 string
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  topic 0..* CodeableConcept
  contributor 0..* Contributor
  contact 0..* ContactDetail
  copyright 0..1 markdown
  relatedArtifact 0..* RelatedArtifact
  parameter 0..* ParameterDefinition
  dataRequirement 0..* DataRequirement
  content 0..* Attachment

resource Linkage : DomainResource
  active 0..1 boolean
  author 0..1 Reference(Practitioner|Organization)
  item 1..* Linkage.item

part Linkage.item : BackboneElement
  type 1..1 code {linkage-type}
  resource 1..1 Reference

resource List : DomainResource
  identifier 0..* Identifier
  status 1..1 code {list-status} ?!
  mode 1..1 code {list-mode} ?!
  title 0..1 string
  code 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  encounter 0..1 Reference(Encounter)
  date 0..1 dateTime
  source 0..1 Reference(Practitioner|Patient|Device)
  orderedBy 0..1 CodeableConcept
  note 0..* Annotation
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
  operationalStatus 0..1 Coding
  name 0..1 string
  alias 0..* string
  description 0..1 string
  mode 0..1 code {location-mode} ?!
  type 0..1 CodeableConcept
  telecom 0..* ContactPoint
  address 0..1 Address
  physicalType 0..1 CodeableConcept
  position 0..1 Location.position
  managingOrganization 0..1 Reference(Organization)
  partOf 0..1 Reference(Location)
  endpoint 0..* Reference(Endpoint)

part Location.position : BackboneElement
  longitude 1..1 decimal
  latitude 1..1 decimal
  altitude 0..1 decimal

resource Measure : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  usage 0..1 string
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  topic 0..* CodeableConcept
  contributor 0..* Contributor
  contact 0..* ContactDetail
  copyright 0..1 markdown
  relatedArtifact 0..* RelatedArtifact
  library 0..* Reference(Library)
  disclaimer 0..1 markdown
  scoring 0..1 CodeableConcept
  compositeScoring 0..1 CodeableConcept
  type 0..* CodeableConcept
  riskAdjustment 0..1 string
  rateAggregation 0..1 string
  rationale 0..1 markdown
  clinicalRecommendationStatement 0..1 markdown
  improvementNotation 0..1 string
  definition 0..* markdown
  guidance 0..1 markdown
  set 0..1 string
  group 0..* Measure.group
  supplementalData 0..* Measure.supplementalData

part Measure.group : BackboneElement
  identifier 1..1 Identifier
  name 0..1 string
  description 0..1 string
  population 0..* Measure.group.population
  stratifier 0..* Measure.group.stratifier

part Measure.group.population : BackboneElement
  identifier 0..1 Identifier
  code 0..1 CodeableConcept
  name 0..1 string
  description 0..1 string
  criteria 1..1 string

part Measure.group.stratifier : BackboneElement
  identifier 0..1 Identifier
  criteria 0..1 string
  path 0..1 string

part Measure.supplementalData : BackboneElement
  identifier 0..1 Identifier
  usage 0..* CodeableConcept
  criteria 0..1 string
  path 0..1 string

resource MeasureReport : DomainResource
  identifier 0..1 Identifier
  status 1..1 code {measure-report-status} ?!
  type 1..1 code {measure-report-type}
  measure 1..1 Reference(Measure)
  patient 0..1 Reference(Patient)
  date 0..1 dateTime
  reportingOrganization 0..1 Reference(Organization)
  period 1..1 Period
  group 0..* MeasureReport.group
  evaluatedResources 0..1 Reference(Bundle)

part MeasureReport.group : BackboneElement
  identifier 1..1 Identifier
  population 0..* MeasureReport.group.population
  measureScore 0..1 decimal
  stratifier 0..* MeasureReport.group.stratifier

part MeasureReport.group.population : BackboneElement
  identifier 0..1 Identifier
  code 0..1 CodeableConcept
  count 0..1 integer
  patients 0..1 Reference(List)

part MeasureReport.group.stratifier : BackboneElement
  identifier 0..1 Identifier
  stratum 0..* MeasureReport.group.stratifier.stratum

part MeasureReport.group.stratifier.stratum : BackboneElement
  value 1..1 string
  population 0..* MeasureReport.group.stratifier.stratum.population
  measureScore 0..1 decimal

part MeasureReport.group.stratifier.stratum.population : BackboneElement
  identifier 0..1 Identifier
  code 0..1 CodeableConcept
  count 0..1 integer
  patients 0..1 Reference(List)

resource Media : DomainResource
  identifier 0..* Identifier
  basedOn 0..* Reference(ProcedureRequest)
  type 1..1 code {digital-media-type}
  subtype 0..1 CodeableConcept
  view 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Practitioner|Group|Device|Specimen)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period
  operator 0..1 Reference(Practitioner)
  reasonCode 0..* CodeableConcept
  bodySite 0..1 CodeableConcept
  device 0..1 Reference(Device|DeviceMetric)
  height 0..1 positiveInt
  width 0..1 positiveInt
  frames 0..1 positiveInt
  duration 0..1 unsignedInt
  content 1..1 Attachment
  note 0..* Annotation

resource Medication : DomainResource
  code 0..1 CodeableConcept
  status 0..1 code {medication-status}
  isBrand 0..1 boolean
  isOverTheCounter 0..1 boolean
  manufacturer 0..1 Reference(Organization)
  form 0..1 CodeableConcept
  ingredient 0..* Medication.ingredient
  package 0..1 Medication.package
  image 0..* Attachment

part Medication.ingredient : BackboneElement
  item[x] 1..1 CodeableConcept,Reference(Substance|Medication)
  isActive 0..1 boolean
  amount 0..1 Ratio

part Medication.package : BackboneElement
  container 0..1 CodeableConcept
  content 0..* Medication.package.content
  batch 0..* Medication.package.batch

part Medication.package.content : BackboneElement
  item[x] 1..1 CodeableConcept,Reference(Medication)
  amount 0..1 SimpleQuantity

part Medication.package.batch : BackboneElement
  lotNumber 0..1 string
  expirationDate 0..1 dateTime

resource MedicationAdministration : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(PlanDefinition|ActivityDefinition)
  partOf 0..* Reference(MedicationAdministration|Procedure)
  status 1..1 code {medication-admin-status} ?!
  category 0..1 CodeableConcept
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  supportingInformation 0..* Reference
  effective[x] 1..1 dateTime,Period
  performer 0..* MedicationAdministration.performer
  notGiven 0..1 boolean ?!
  reasonNotGiven 0..* CodeableConcept
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  prescription 0..1 Reference(MedicationRequest)
  device 0..* Reference(Device)
  note 0..* Annotation
  dosage 0..1 MedicationAdministration.dosage
  eventHistory 0..* Reference(Provenance)

part MedicationAdministration.performer : BackboneElement
  actor 1..1 Reference(Practitioner|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

part MedicationAdministration.dosage : BackboneElement
  text 0..1 string
  site 0..1 CodeableConcept
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  dose 0..1 SimpleQuantity
  rate[x] 0..1 Ratio,SimpleQuantity

resource MedicationDispense : DomainResource
  identifier 0..* Identifier
  partOf 0..* Reference(Procedure)
  status 0..1 code {medication-dispense-status} ?!
  category 0..1 CodeableConcept
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  subject 0..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  supportingInformation 0..* Reference
  performer 0..* MedicationDispense.performer
  authorizingPrescription 0..* Reference(MedicationRequest)
  type 0..1 CodeableConcept
  quantity 0..1 SimpleQuantity
  daysSupply 0..1 SimpleQuantity
  whenPrepared 0..1 dateTime
  whenHandedOver 0..1 dateTime
  destination 0..1 Reference(Location)
  receiver 0..* Reference(Patient|Practitioner)
  note 0..* Annotation
  dosageInstruction 0..* Dosage
  substitution 0..1 MedicationDispense.substitution
  detectedIssue 0..* Reference(DetectedIssue)
  notDone 0..1 boolean
  notDoneReason[x] 0..1 CodeableConcept,Reference(DetectedIssue)
  eventHistory 0..* Reference(Provenance)

part MedicationDispense.performer : BackboneElement
  actor 1..1 Reference(Practitioner|Organization|Patient|Device|RelatedPerson)
  onBehalfOf 0..1 Reference(Organization)

part MedicationDispense.substitution : BackboneElement
  wasSubstituted 1..1 boolean
  type 0..1 CodeableConcept
  reason 0..* CodeableConcept
  responsibleParty 0..* Reference(Practitioner)

resource MedicationRequest : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(ActivityDefinition|PlanDefinition)
  basedOn 0..* Reference(CarePlan|MedicationRequest|ProcedureRequest|ReferralRequest)
  groupIdentifier 0..1 Identifier
  status 0..1 code {medication-request-status} ?!
  intent 1..1 code {medication-request-intent} ?!
  category 0..1 CodeableConcept
  priority 0..1 code {medication-request-priority}
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  supportingInformation 0..* Reference
  authoredOn 0..1 dateTime
  requester 0..1 MedicationRequest.requester
  recorder 0..1 Reference(Practitioner)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  note 0..* Annotation
  dosageInstruction 0..* Dosage
  dispenseRequest 0..1 MedicationRequest.dispenseRequest
  substitution 0..1 MedicationRequest.substitution
  priorPrescription 0..1 Reference(MedicationRequest)
  detectedIssue 0..* Reference(DetectedIssue)
  eventHistory 0..* Reference(Provenance)

part MedicationRequest.requester : BackboneElement
  agent 1..1 Reference(Practitioner|Organization|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

part MedicationRequest.dispenseRequest : BackboneElement
  validityPeriod 0..1 Period
  numberOfRepeatsAllowed 0..1 positiveInt
  quantity 0..1 SimpleQuantity
  expectedSupplyDuration 0..1 Duration
  performer 0..1 Reference(Organization)

part MedicationRequest.substitution : BackboneElement
  allowed 1..1 boolean ?!
  reason 0..1 CodeableConcept

resource MedicationStatement : DomainResource
  identifier 0..* Identifier
  basedOn 0..* Reference(MedicationRequest|CarePlan|ProcedureRequest|ReferralRequest)
  partOf 0..* Reference(MedicationAdministration|MedicationDispense|MedicationStatement|Procedure|Observation)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  status 1..1 code {medication-statement-status} ?!
  category 0..1 CodeableConcept
  medication[x] 1..1 CodeableConcept,Reference(Medication)
  effective[x] 0..1 dateTime,Period
  dateAsserted 0..1 dateTime
  informationSource 0..1 Reference(Patient|Practitioner|RelatedPerson|Organization)
  subject 1..1 Reference(Patient|Group)
  derivedFrom 0..* Reference
  taken 1..1 code {medication-statement-taken} ?!
  reasonNotTaken 0..* CodeableConcept
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  note 0..* Annotation
  dosage 0..* Dosage

resource MessageDefinition : DomainResource
  url 0..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 1..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  base 0..1 Reference(MessageDefinition)
  parent 0..* Reference(ActivityDefinition|PlanDefinition)
  replaces 0..* Reference(MessageDefinition)
  event 1..1 Coding
  category 0..1 code {message-significance-category}
  focus 0..* MessageDefinition.focus
  responseRequired 0..1 boolean
  allowedResponse 0..* MessageDefinition.allowedResponse

part MessageDefinition.focus : BackboneElement
  code 1..1 code {resource-types}
  profile 0..1 Reference(StructureDefinition)
  min 0..1 unsignedInt
  max 0..1 string

part MessageDefinition.allowedResponse : BackboneElement
  message 1..1 Reference(MessageDefinition)
  situation 0..1 markdown

resource MessageHeader : DomainResource
  event 1..1 Coding
  destination 0..* MessageHeader.destination
  receiver 0..1 Reference(Practitioner|Organization)
  sender 0..1 Reference(Practitioner|Organization)
  timestamp 1..1 instant
  enterer 0..1 Reference(Practitioner)
  author 0..1 Reference(Practitioner)
  source 1..1 MessageHeader.source
  responsible 0..1 Reference(Practitioner|Organization)
  reason 0..1 CodeableConcept
  response 0..1 MessageHeader.response
  focus 0..* Reference

part MessageHeader.destination : BackboneElement
  name 0..1 string
  target 0..1 Reference(Device)
  endpoint 1..1 uri

part MessageHeader.source : BackboneElement
  name 0..1 string
  software 0..1 string
  version 0..1 string
  contact 0..1 ContactPoint
  endpoint 1..1 uri

part MessageHeader.response : BackboneElement
  identifier 1..1 id
  code 1..1 code {response-code}
  details 0..1 Reference(OperationOutcome)

resource NamingSystem : DomainResource
  name 1..1 string
  status 1..1 code {publication-status} ?!
  kind 1..1 code {namingsystem-type}
  date 1..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  responsible 0..1 string
  type 0..1 CodeableConcept
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  usage 0..1 string
  uniqueId 1..* NamingSystem.uniqueId
  replacedBy 0..1 Reference(NamingSystem)

part NamingSystem.uniqueId : BackboneElement
  type 1..1 code {namingsystem-identifier-type}
  value 1..1 string
  preferred 0..1 boolean
  comment 0..1 string
  period 0..1 Period

resource NutritionOrder : DomainResource
  identifier 0..* Identifier
  status 0..1 code {nutrition-request-status} ?!
  patient 1..1 Reference(Patient)
  encounter 0..1 Reference(Encounter)
  dateTime 1..1 dateTime
  orderer 0..1 Reference(Practitioner)
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
  basedOn 0..* Reference(CarePlan|DeviceRequest|ImmunizationRecommendation|MedicationRequest|NutritionOrder|ProcedureRequest|ReferralRequest)
  status 1..1 code {observation-status} ?!
  category 0..* CodeableConcept
  code 1..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  effective[x] 0..1 dateTime,Period
  issued 0..1 instant
  performer 0..* Reference(Practitioner|Organization|Patient|RelatedPerson)
  value[x] 0..1 Quantity,CodeableConcept,string,boolean,Range,Ratio,SampledData,Attachment,time,dateTime,Period
  dataAbsentReason 0..1 CodeableConcept
  interpretation 0..1 CodeableConcept
  comment 0..1 string
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
  type 0..1 CodeableConcept
  appliesTo 0..* CodeableConcept
  age 0..1 Range
  text 0..1 string

part Observation.related : BackboneElement
  type 0..1 code {observation-relationshiptypes}
  target 1..1 Reference(Observation|QuestionnaireResponse|Sequence)

part Observation.component : BackboneElement
  code 1..1 CodeableConcept
  value[x] 0..1 Quantity,CodeableConcept,string,Range,Ratio,SampledData,Attachment,time,dateTime,Period
  dataAbsentReason 0..1 CodeableConcept
  interpretation 0..1 CodeableConcept
  referenceRange 0..* Observation.referenceRange

resource OperationDefinition : DomainResource
  url 0..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {publication-status} ?!
  kind 1..1 code {operation-kind}
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  idempotent 0..1 boolean
  code 1..1 code
  comment 0..1 string
  base 0..1 Reference(OperationDefinition)
  resource 0..* code {resource-types}
  system 1..1 boolean
  type 1..1 boolean
  instance 1..1 boolean
  parameter 0..* OperationDefinition.parameter
  overload 0..* OperationDefinition.overload

part OperationDefinition.parameter : BackboneElement
  name 1..1 code
  use 1..1 code {operation-parameter-use}
  min 1..1 integer
  max 1..1 string
  documentation 0..1 string
  type 0..1 code {all-types}
  searchType 0..1 code {search-param-type}
  profile 0..1 Reference(StructureDefinition)
  binding 0..1 OperationDefinition.parameter.binding
  part 0..* OperationDefinition.parameter

part OperationDefinition.parameter.binding : BackboneElement
  strength 1..1 code {binding-strength}
  valueSet[x] 1..1 uri,Reference(ValueSet)

part OperationDefinition.overload : BackboneElement
  parameterName 0..* string
  comment 0..1 string

resource OperationOutcome : DomainResource
  issue 1..* OperationOutcome.issue

part OperationOutcome.issue : BackboneElement
  severity 1..1 code {issue-severity} ?!
  code 1..1 code {issue-type}
  details 0..1 CodeableConcept
  diagnostics 0..1 string
  location 0..* string
  expression 0..* string

resource Organization : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  type 0..* CodeableConcept
  name 0..1 string
  alias 0..* string
  telecom 0..* ContactPoint
  address 0..* Address
  partOf 0..1 Reference(Organization)
  contact 0..* Organization.contact
  endpoint 0..* Reference(Endpoint)

part Organization.contact : BackboneElement
  purpose 0..1 CodeableConcept
  name 0..1 HumanName
  telecom 0..* ContactPoint
  address 0..1 Address

resource Parameters : Resource
  parameter 0..* Parameters.parameter

part Parameters.parameter : BackboneElement
  name 1..1 string
  value[x] 0..1 *
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
  generalPractitioner 0..* Reference(Organization|Practitioner)
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
  other 1..1 Reference(Patient|RelatedPerson)
  type 1..1 code {link-type}

resource PaymentNotice : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  request 0..1 Reference
  response 0..1 Reference
  statusDate 0..1 date
  created 0..1 dateTime
  target 0..1 Reference(Organization)
  provider 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  paymentStatus 0..1 CodeableConcept

resource PaymentReconciliation : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  period 0..1 Period
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  request 0..1 Reference(ProcessRequest)
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  detail 0..* PaymentReconciliation.detail
  form 0..1 CodeableConcept
  total 0..1 Money
  processNote 0..* PaymentReconciliation.processNote

part PaymentReconciliation.detail : BackboneElement
  type 1..1 CodeableConcept
  request 0..1 Reference
  response 0..1 Reference
  submitter 0..1 Reference(Organization)
  payee 0..1 Reference(Organization)
  date 0..1 date
  amount 0..1 Money

part PaymentReconciliation.processNote : BackboneElement
  type 0..1 CodeableConcept
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

resource PlanDefinition : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  type 0..1 CodeableConcept
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  usage 0..1 string
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  topic 0..* CodeableConcept
  contributor 0..* Contributor
  contact 0..* ContactDetail
  copyright 0..1 markdown
  relatedArtifact 0..* RelatedArtifact
  library 0..* Reference(Library)
  goal 0..* PlanDefinition.goal
  action 0..* PlanDefinition.action

part PlanDefinition.goal : BackboneElement
  category 0..1 CodeableConcept
  description 1..1 CodeableConcept
  priority 0..1 CodeableConcept
  start 0..1 CodeableConcept
  addresses 0..* CodeableConcept
  documentation 0..* RelatedArtifact
  target 0..* PlanDefinition.goal.target

part PlanDefinition.goal.target : BackboneElement
  measure 0..1 CodeableConcept
  detail[x] 0..1 Quantity,Range,CodeableConcept
  due 0..1 Duration

part PlanDefinition.action : BackboneElement
  label 0..1 string
  title 0..1 string
  description 0..1 string
  textEquivalent 0..1 string
  code 0..* CodeableConcept
  reason 0..* CodeableConcept
  documentation 0..* RelatedArtifact
  goalId 0..* id
  triggerDefinition 0..* TriggerDefinition
  condition 0..* PlanDefinition.action.condition
  input 0..* DataRequirement
  output 0..* DataRequirement
  relatedAction 0..* PlanDefinition.action.relatedAction
  timing[x] 0..1 dateTime,Period,Duration,Range,Timing
  participant 0..* PlanDefinition.action.participant
  type 0..1 Coding
  groupingBehavior 0..1 code {action-grouping-behavior}
  selectionBehavior 0..1 code {action-selection-behavior}
  requiredBehavior 0..1 code {action-required-behavior}
  precheckBehavior 0..1 code {action-precheck-behavior}
  cardinalityBehavior 0..1 code {action-cardinality-behavior}
  definition 0..1 Reference(ActivityDefinition|PlanDefinition)
  transform 0..1 Reference(StructureMap)
  dynamicValue 0..* PlanDefinition.action.dynamicValue
  action 0..* PlanDefinition.action

part PlanDefinition.action.condition : BackboneElement
  kind 1..1 code {action-condition-kind}
  description 0..1 string
  language 0..1 string
  expression 0..1 string

part PlanDefinition.action.relatedAction : BackboneElement
  actionId 1..1 id
  relationship 1..1 code {action-relationship-type}
  offset[x] 0..1 Duration,Range

part PlanDefinition.action.participant : BackboneElement
  type 1..1 code {action-participant-type}
  role 0..1 CodeableConcept

part PlanDefinition.action.dynamicValue : BackboneElement
  description 0..1 string
  path 0..1 string
  language 0..1 string
  expression 0..1 string

resource Practitioner : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean
  name 0..* HumanName
  telecom 0..* ContactPoint
  address 0..* Address
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  photo 0..* Attachment
  qualification 0..* Practitioner.qualification
  communication 0..* CodeableConcept

part Practitioner.qualification : BackboneElement
  identifier 0..* Identifier
  code 1..1 CodeableConcept
  period 0..1 Period
  issuer 0..1 Reference(Organization)

resource PractitionerRole : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean
  period 0..1 Period
  practitioner 0..1 Reference(Practitioner)
  organization 0..1 Reference(Organization)
  code 0..* CodeableConcept
  specialty 0..* CodeableConcept
  location 0..* Reference(Location)
  healthcareService 0..* Reference(HealthcareService)
  telecom 0..* ContactPoint
  availableTime 0..* PractitionerRole.availableTime
  notAvailable 0..* PractitionerRole.notAvailable
  availabilityExceptions 0..1 string
  endpoint 0..* Reference(Endpoint)

part PractitionerRole.availableTime : BackboneElement
  daysOfWeek 0..* code {days-of-week}
  allDay 0..1 boolean
  availableStartTime 0..1 time
  availableEndTime 0..1 time

part PractitionerRole.notAvailable : BackboneElement
  description 1..1 string
  during 0..1 Period

resource Procedure : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(PlanDefinition|ActivityDefinition|HealthcareService)
  basedOn 0..* Reference(CarePlan|ProcedureRequest|ReferralRequest)
  partOf 0..* Reference(Procedure|Observation|MedicationAdministration)
  status 1..1 code {event-status} ?!
  notDone 0..1 boolean ?!
  notDoneReason 0..1 CodeableConcept
  category 0..1 CodeableConcept
  code 0..1 CodeableConcept
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  performed[x] 0..1 dateTime,Period
  performer 0..* Procedure.performer
  location 0..1 Reference(Location)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  bodySite 0..* CodeableConcept
  outcome 0..1 CodeableConcept
  report 0..* Reference(DiagnosticReport)
  complication 0..* CodeableConcept
  complicationDetail 0..* Reference(Condition)
  followUp 0..* CodeableConcept
  note 0..* Annotation
  focalDevice 0..* Procedure.focalDevice
  usedReference 0..* Reference(Device|Medication|Substance)
  usedCode 0..* CodeableConcept

part Procedure.performer : BackboneElement
  role 0..1 CodeableConcept
  actor 1..1 Reference(Practitioner|Organization|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

part Procedure.focalDevice : BackboneElement
  action 0..1 CodeableConcept
  manipulated 1..1 Reference(Device)

resource ProcedureRequest : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(ActivityDefinition|PlanDefinition)
  basedOn 0..* Reference
  replaces 0..* Reference
  requisition 0..1 Identifier
  status 1..1 code {request-status} ?!
  intent 1..1 code {request-intent} ?!
  priority 0..1 code {request-priority}
  doNotPerform 0..1 boolean ?!
  category 0..* CodeableConcept
  code 1..1 CodeableConcept
  subject 1..1 Reference(Patient|Group|Location|Device)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period,Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  authoredOn 0..1 dateTime
  requester 0..1 ProcedureRequest.requester
  performerType 0..1 CodeableConcept
  performer 0..1 Reference(Practitioner|Organization|Patient|Device|RelatedPerson|HealthcareService)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  supportingInfo 0..* Reference
  specimen 0..* Reference(Specimen)
  bodySite 0..* CodeableConcept
  note 0..* Annotation
  relevantHistory 0..* Reference(Provenance)

part ProcedureRequest.requester : BackboneElement
  agent 1..1 Reference(Device|Practitioner|Organization)
  onBehalfOf 0..1 Reference(Organization)

resource ProcessRequest : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  action 0..1 code {actionlist}
  target 0..1 Reference(Organization)
  created 0..1 dateTime
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
  status 0..1 code {fm-status} ?!
  created 0..1 dateTime
  organization 0..1 Reference(Organization)
  request 0..1 Reference
  outcome 0..1 CodeableConcept
  disposition 0..1 string
  requestProvider 0..1 Reference(Practitioner)
  requestOrganization 0..1 Reference(Organization)
  form 0..1 CodeableConcept
  processNote 0..* ProcessResponse.processNote
  error 0..* CodeableConcept
  communicationRequest 0..* Reference(CommunicationRequest)

part ProcessResponse.processNote : BackboneElement
  type 0..1 CodeableConcept
  text 0..1 string

resource Provenance : DomainResource
  target 1..* Reference
  period 0..1 Period
  recorded 1..1 instant
  policy 0..* uri
  location 0..1 Reference(Location)
  reason 0..* Coding
  activity 0..1 Coding
  agent 1..* Provenance.agent
  entity 0..* Provenance.entity
  signature 0..* Signature

part Provenance.agent : BackboneElement
  role 0..* CodeableConcept
  who[x] 1..1 uri,Reference(Practitioner|RelatedPerson|Patient|Device|Organization)
  onBehalfOf[x] 0..1 uri,Reference(Practitioner|RelatedPerson|Patient|Device|Organization)
  relatedAgentType 0..1 CodeableConcept

part Provenance.entity : BackboneElement
  role 1..1 code {provenance-entity-role}
  what[x] 1..1 uri,Reference,Identifier
  agent 0..* Provenance.agent

resource Questionnaire : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  contact 0..* ContactDetail
  copyright 0..1 markdown
  code 0..* Coding
  subjectType 0..* code {resource-types}
  item 0..* Questionnaire.item

part Questionnaire.item : BackboneElement
  linkId 1..1 string
  definition 0..1 uri
  code 0..* Coding
  prefix 0..1 string
  text 0..1 string
  type 1..1 code {item-type}
  enableWhen 0..* Questionnaire.item.enableWhen ?!
  required 0..1 boolean
  repeats 0..1 boolean
  readOnly 0..1 boolean
  maxLength 0..1 integer
  options 0..1 Reference(ValueSet)
  option 0..* Questionnaire.item.option
  initial[x] 0..1 boolean,decimal,integer,date,dateTime,time,string,uri,Attachment,Coding,Quantity,Reference
  item 0..* Questionnaire.item

part Questionnaire.item.enableWhen : BackboneElement
  question 1..1 string
  hasAnswer 0..1 boolean
  answer[x] 0..1 boolean,decimal,integer,date,dateTime,time,string,uri,Attachment,Coding,Quantity,Reference

part Questionnaire.item.option : BackboneElement
  value[x] 1..1 integer,date,time,string,Coding

resource QuestionnaireResponse : DomainResource
  identifier 0..1 Identifier
  basedOn 0..* Reference(ReferralRequest|CarePlan|ProcedureRequest)
  parent 0..* Reference(Observation|Procedure)
  questionnaire 0..1 Reference(Questionnaire)
  status 1..1 code {questionnaire-answers-status} ?!
  subject 0..1 Reference
  context 0..1 Reference(Encounter|EpisodeOfCare)
  authored 0..1 dateTime
  author 0..1 Reference(Device|Practitioner|Patient|RelatedPerson)
  source 0..1 Reference(Patient|Practitioner|RelatedPerson)
  item 0..* QuestionnaireResponse.item

part QuestionnaireResponse.item : BackboneElement
  linkId 1..1 string
  definition 0..1 uri
  text 0..1 string
  subject 0..1 Reference
  answer 0..* QuestionnaireResponse.item.answer
  item 0..* QuestionnaireResponse.item

part QuestionnaireResponse.item.answer : BackboneElement
  value[x] 0..1 boolean,decimal,integer,date,dateTime,time,string,uri,Attachment,Coding,Quantity,Reference
  item 0..* QuestionnaireResponse.item

resource ReferralRequest : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference(ActivityDefinition|PlanDefinition)
  basedOn 0..* Reference(ReferralRequest|CarePlan|ProcedureRequest)
  replaces 0..* Reference(ReferralRequest)
  groupIdentifier 0..1 Identifier
  status 1..1 code {request-status} ?!
  intent 1..1 code {request-intent} ?!
  type 0..1 CodeableConcept
  priority 0..1 code {request-priority}
  serviceRequested 0..* CodeableConcept
  subject 1..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period
  authoredOn 0..1 dateTime
  requester 0..1 ReferralRequest.requester
  specialty 0..1 CodeableConcept
  recipient 0..* Reference(Practitioner|Organization|HealthcareService)
  reasonCode 0..* CodeableConcept
  reasonReference 0..* Reference(Condition|Observation)
  description 0..1 string
  supportingInfo 0..* Reference
  note 0..* Annotation
  relevantHistory 0..* Reference(Provenance)

part ReferralRequest.requester : BackboneElement
  agent 1..1 Reference(Practitioner|Organization|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

resource RelatedPerson : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  patient 1..1 Reference(Patient)
  relationship 0..1 CodeableConcept
  name 0..* HumanName
  telecom 0..* ContactPoint
  gender 0..1 code {administrative-gender}
  birthDate 0..1 date
  address 0..* Address
  photo 0..* Attachment
  period 0..1 Period

resource RequestGroup : DomainResource
  identifier 0..* Identifier
  definition 0..* Reference
  basedOn 0..* Reference
  replaces 0..* Reference
  groupIdentifier 0..1 Identifier
  status 1..1 code {request-status} ?!
  intent 1..1 code {request-intent} ?!
  priority 0..1 code {request-priority}
  subject 0..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  authoredOn 0..1 dateTime
  author 0..1 Reference(Device|Practitioner)
  reason[x] 0..1 CodeableConcept,Reference
  note 0..* Annotation
  action 0..* RequestGroup.action

part RequestGroup.action : BackboneElement
  label 0..1 string
  title 0..1 string
  description 0..1 string
  textEquivalent 0..1 string
  code 0..* CodeableConcept
  documentation 0..* RelatedArtifact
  condition 0..* RequestGroup.action.condition
  relatedAction 0..* RequestGroup.action.relatedAction
  timing[x] 0..1 dateTime,Period,Duration,Range,Timing
  participant 0..* Reference(Patient|Person|Practitioner|RelatedPerson)
  type 0..1 Coding
  groupingBehavior 0..1 code {action-grouping-behavior}
  selectionBehavior 0..1 code {action-selection-behavior}
  requiredBehavior 0..1 code {action-required-behavior}
  precheckBehavior 0..1 code {action-precheck-behavior}
  cardinalityBehavior 0..1 code {action-cardinality-behavior}
  resource 0..1 Reference
  action 0..* RequestGroup.action

part RequestGroup.action.condition : BackboneElement
  kind 1..1 code {action-condition-kind}
  description 0..1 string
  language 0..1 string
  expression 0..1 string

part RequestGroup.action.relatedAction : BackboneElement
  actionId 1..1 id
  relationship 1..1 code {action-relationship-type}
  offset[x] 0..1 Duration,Range

resource ResearchStudy : DomainResource
  identifier 0..* Identifier
  title 0..1 string
  protocol 0..* Reference(PlanDefinition)
  partOf 0..* Reference(ResearchStudy)
  status 1..1 code {research-study-status} ?!
  category 0..* CodeableConcept
  focus 0..* CodeableConcept
  contact 0..* ContactDetail
  relatedArtifact 0..* RelatedArtifact
  keyword 0..* CodeableConcept
  jurisdiction 0..* CodeableConcept
  description 0..1 markdown
  enrollment 0..* Reference(Group)
  period 0..1 Period
  sponsor 0..1 Reference(Organization)
  principalInvestigator 0..1 Reference(Practitioner)
  site 0..* Reference(Location)
  reasonStopped 0..1 CodeableConcept
  note 0..* Annotation
  arm 0..* ResearchStudy.arm

part ResearchStudy.arm : BackboneElement
  name 1..1 string
  code 0..1 CodeableConcept
  description 0..1 string

resource ResearchSubject : DomainResource
  identifier 0..1 Identifier
  status 1..1 code {research-subject-status} ?!
  period 0..1 Period
  study 1..1 Reference(ResearchStudy)
  individual 1..1 Reference(Patient)
  assignedArm 0..1 string
  actualArm 0..1 string
  consent 0..1 Reference(Consent)

resource RiskAssessment : DomainResource
  identifier 0..1 Identifier
  basedOn 0..1 Reference
  parent 0..1 Reference
  status 1..1 code {observation-status}
  method 0..1 CodeableConcept
  code 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Group)
  context 0..1 Reference(Encounter|EpisodeOfCare)
  occurrence[x] 0..1 dateTime,Period
  condition 0..1 Reference(Condition)
  performer 0..1 Reference(Practitioner|Device)
  reason[x] 0..1 CodeableConcept,Reference
  basis 0..* Reference
  prediction 0..* RiskAssessment.prediction
  mitigation 0..1 string
  comment 0..1 string

part RiskAssessment.prediction : BackboneElement
  outcome 1..1 CodeableConcept
  probability[x] 0..1 decimal,Range
  qualitativeRisk 0..1 CodeableConcept
  relativeRisk 0..1 decimal
  when[x] 0..1 Period,Range
  rationale 0..1 string

resource Schedule : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  serviceCategory 0..1 CodeableConcept
  serviceType 0..* CodeableConcept
  specialty 0..* CodeableConcept
  actor 1..* Reference(Patient|Practitioner|PractitionerRole|RelatedPerson|Device|HealthcareService|Location)
  planningHorizon 0..1 Period
  comment 0..1 string

resource SearchParameter : DomainResource
  url 1..1 uri
  version 0..1 string
  name 1..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  code 1..1 code
  base 1..* code {resource-types}
  type 1..1 code {search-param-type}
  derivedFrom 0..1 uri
  description 1..1 markdown
  expression 0..1 string
  xpath 0..1 string
  xpathUsage 0..1 code {search-xpath-usage}
  target 0..* code {resource-types}
  comparator 0..* code {search-comparator}
  modifier 0..* code {search-modifier-code}
  chain 0..* string
  component 0..* SearchParameter.component

part SearchParameter.component : BackboneElement
  definition 1..1 Reference(SearchParameter)
  expression 1..1 string

resource Sequence : DomainResource
  identifier 0..* Identifier
  type 0..1 code
  coordinateSystem 1..1 integer
  patient 0..1 Reference(Patient)
  specimen 0..1 Reference(Specimen)
  device 0..1 Reference(Device)
  performer 0..1 Reference(Organization)
  quantity 0..1 Quantity
  referenceSeq 0..1 Sequence.referenceSeq
  variant 0..* Sequence.variant
  observedSeq 0..1 string
  quality 0..* Sequence.quality
  readCoverage 0..1 integer
  repository 0..* Sequence.repository
  pointer 0..* Reference(Sequence)

part Sequence.referenceSeq : BackboneElement
  chromosome 0..1 CodeableConcept
  genomeBuild 0..1 string
  referenceSeqId 0..1 CodeableConcept
  referenceSeqPointer 0..1 Reference(Sequence)
  referenceSeqString 0..1 string
  strand 0..1 integer
  windowStart 1..1 integer
  windowEnd 1..1 integer

part Sequence.variant : BackboneElement
  start 0..1 integer
  end 0..1 integer
  observedAllele 0..1 string
  referenceAllele 0..1 string
  cigar 0..1 string
  variantPointer 0..1 Reference(Observation)

part Sequence.quality : BackboneElement
  type 1..1 code {quality-type}
  standardSequence 0..1 CodeableConcept
  start 0..1 integer
  end 0..1 integer
  score 0..1 Quantity
  method 0..1 CodeableConcept
  truthTP 0..1 decimal
  queryTP 0..1 decimal
  truthFN 0..1 decimal
  queryFP 0..1 decimal
  gtFP 0..1 decimal
  precision 0..1 decimal
  recall 0..1 decimal
  fScore 0..1 decimal

part Sequence.repository : BackboneElement
  type 1..1 code {repository-type}
  url 0..1 uri
  name 0..1 string
  datasetId 0..1 string
  variantsetId 0..1 string
  readsetId 0..1 string

resource ServiceDefinition : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  description 0..1 markdown
  purpose 0..1 markdown
  usage 0..1 string
  approvalDate 0..1 date
  lastReviewDate 0..1 date
  effectivePeriod 0..1 Period
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  topic 0..* CodeableConcept
  contributor 0..* Contributor
  contact 0..* ContactDetail
  copyright 0..1 markdown
  relatedArtifact 0..* RelatedArtifact
  trigger 0..* TriggerDefinition
  dataRequirement 0..* DataRequirement
  operationDefinition 0..1 Reference(OperationDefinition)

resource Slot : DomainResource
  identifier 0..* Identifier
  serviceCategory 0..1 CodeableConcept
  serviceType 0..* CodeableConcept
  specialty 0..* CodeableConcept
  appointmentType 0..1 CodeableConcept
  schedule 1..1 Reference(Schedule)
  status 1..1 code {slotstatus}
  start 1..1 instant
  end 1..1 instant
  overbooked 0..1 boolean
  comment 0..1 string

resource Specimen : DomainResource
  identifier 0..* Identifier
  accessionIdentifier 0..1 Identifier
  status 0..1 code {specimen-status} ?!
  type 0..1 CodeableConcept
  subject 1..1 Reference(Patient|Group|Device|Substance)
  receivedTime 0..1 dateTime
  parent 0..* Reference(Specimen)
  request 0..* Reference(ProcedureRequest)
  collection 0..1 Specimen.collection
  processing 0..* Specimen.processing
  container 0..* Specimen.container
  note 0..* Annotation

part Specimen.collection : BackboneElement
  collector 0..1 Reference(Practitioner)
  collected[x] 0..1 dateTime,Period
  quantity 0..1 SimpleQuantity
  method 0..1 CodeableConcept
  bodySite 0..1 CodeableConcept

part Specimen.processing : BackboneElement
  description 0..1 string
  procedure 0..1 CodeableConcept
  additive 0..* Reference(Substance)
  time[x] 0..1 dateTime,Period

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
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  keyword 0..* Coding
  fhirVersion 0..1 id
  mapping 0..* StructureDefinition.mapping
  kind 1..1 code {structure-definition-kind}
  abstract 1..1 boolean
  contextType 0..1 code {extension-context}
  context 0..* string
  contextInvariant 0..* string
  type 1..1 code
  baseDefinition 0..1 uri
  derivation 0..1 code {type-derivation-rule}
  snapshot 0..1 StructureDefinition.snapshot
  differential 0..1 StructureDefinition.differential

part StructureDefinition.mapping : BackboneElement
  identity 1..1 id
  uri 0..1 uri
  name 0..1 string
  comment 0..1 string

part StructureDefinition.snapshot : BackboneElement
  element 1..* ElementDefinition

part StructureDefinition.differential : BackboneElement
  element 1..* ElementDefinition

resource StructureMap : DomainResource
  url 1..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 1..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  structure 0..* StructureMap.structure
  import 0..* uri
  group 1..* StructureMap.group

part StructureMap.structure : BackboneElement
  url 1..1 uri
  mode 1..1 code {map-model-mode}
  alias 0..1 string
  documentation 0..1 string

part StructureMap.group : BackboneElement
  name 1..1 id
  extends 0..1 id
  typeMode 1..1 code {map-group-type-mode}
  documentation 0..1 string
  input 1..* StructureMap.group.input
  rule 1..* StructureMap.group.rule

part StructureMap.group.input : BackboneElement
  name 1..1 id
  type 0..1 string
  mode 1..1 code {map-input-mode}
  documentation 0..1 string

part StructureMap.group.rule : BackboneElement
  name 1..1 id
  source 1..* StructureMap.group.rule.source
  target 0..* StructureMap.group.rule.target
  rule 0..* StructureMap.group.rule
  dependent 0..* StructureMap.group.rule.dependent
  documentation 0..1 string

part StructureMap.group.rule.source : BackboneElement
  context 1..1 id
  min 0..1 integer
  max 0..1 string
  type 0..1 string
  defaultValue[x] 0..1 *
  element 0..1 string
  listMode 0..1 code {map-source-list-mode}
  variable 0..1 id
  condition 0..1 string
  check 0..1 string

part StructureMap.group.rule.target : BackboneElement
  context 0..1 id
  contextType 0..1 code {map-context-type}
  element 0..1 string
  variable 0..1 id
  listMode 0..* code {map-target-list-mode}
  listRuleId 0..1 id
  transform 0..1 code {map-transform}
  parameter 0..* StructureMap.group.rule.target.parameter

part StructureMap.group.rule.target.parameter : BackboneElement
  value[x] 1..1 id,string,boolean,integer,decimal

part StructureMap.group.rule.dependent : BackboneElement
  name 1..1 id
  variable 1..* string

resource Subscription : DomainResource
  status 1..1 code {subscription-status} ?!
  contact 0..* ContactPoint
  end 0..1 instant
  reason 1..1 string
  criteria 1..1 string
  error 0..1 string
  channel 1..1 Subscription.channel
  tag 0..* Coding

part Subscription.channel : BackboneElement
  type 1..1 code {subscription-channel-type}
  endpoint 0..1 uri
  payload 0..1 string
  header 0..* string

resource Substance : DomainResource
  identifier 0..* Identifier
  status 0..1 code {substance-status}
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
  substance[x] 1..1 CodeableConcept,Reference(Substance)

resource SupplyDelivery : DomainResource
  identifier 0..1 Identifier
  basedOn 0..* Reference(SupplyRequest)
  partOf 0..* Reference(SupplyDelivery|Contract)
  status 0..1 code {supplydelivery-status} ?!
  patient 0..1 Reference(Patient)
  type 0..1 CodeableConcept
  suppliedItem 0..1 SupplyDelivery.suppliedItem
  occurrence[x] 0..1 dateTime,Period,Timing
  supplier 0..1 Reference(Practitioner|Organization)
  destination 0..1 Reference(Location)
  receiver 0..* Reference(Practitioner)

part SupplyDelivery.suppliedItem : BackboneElement
  quantity 0..1 SimpleQuantity
  item[x] 0..1 CodeableConcept,Reference(Medication|Substance|Device)

resource SupplyRequest : DomainResource
  identifier 0..1 Identifier
  status 0..1 code {supplyrequest-status} ?!
  category 0..1 CodeableConcept
  priority 0..1 code {request-priority}
  orderedItem 0..1 SupplyRequest.orderedItem
  occurrence[x] 0..1 dateTime,Period,Timing
  authoredOn 0..1 dateTime
  requester 0..1 SupplyRequest.requester
  supplier 0..* Reference(Organization)
  reason[x] 0..1 CodeableConcept,Reference
  deliverFrom 0..1 Reference(Organization|Location)
  deliverTo 0..1 Reference(Organization|Location|Patient)

part SupplyRequest.orderedItem : BackboneElement
  quantity 1..1 Quantity
  item[x] 0..1 CodeableConcept,Reference(Medication|Substance|Device)

part SupplyRequest.requester : BackboneElement
  agent 1..1 Reference(Practitioner|Organization|Patient|RelatedPerson|Device)
  onBehalfOf 0..1 Reference(Organization)

resource Task : DomainResource
  identifier 0..* Identifier
  definition[x] 0..1 uri,Reference(ActivityDefinition)
  basedOn 0..* Reference
  groupIdentifier 0..1 Identifier
  partOf 0..* Reference(Task)
  status 1..1 code {task-status}
  statusReason 0..1 CodeableConcept
  businessStatus 0..1 CodeableConcept
  intent 1..1 code {request-intent}
  priority 0..1 code {request-priority}
  code 0..1 CodeableConcept
  description 0..1 string
  focus 0..1 Reference
  for 0..1 Reference
  context 0..1 Reference(Encounter|EpisodeOfCare)
  executionPeriod 0..1 Period
  authoredOn 0..1 dateTime
  lastModified 0..1 dateTime
  requester 0..1 Task.requester
  performerType 0..* CodeableConcept
  owner 0..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  reason 0..1 CodeableConcept
  note 0..* Annotation
  relevantHistory 0..* Reference(Provenance)
  restriction 0..1 Task.restriction
  input 0..* Task.input
  output 0..* Task.output

part Task.requester : BackboneElement
  agent 1..1 Reference(Device|Organization|Patient|Practitioner|RelatedPerson)
  onBehalfOf 0..1 Reference(Organization)

part Task.restriction : BackboneElement
  repetitions 0..1 positiveInt
  period 0..1 Period
  recipient 0..* Reference(Patient|Practitioner|RelatedPerson|Group|Organization)

part Task.input : BackboneElement
  type 1..1 CodeableConcept
  value[x] 1..1 *

part Task.output : BackboneElement
  type 1..1 CodeableConcept
  value[x] 1..1 *

resource TestReport : DomainResource
  identifier 0..1 Identifier
  name 0..1 string
  status 1..1 code {report-status-codes} ?!
  testScript 1..1 Reference(TestScript)
  result 1..1 code {report-result-codes}
  score 0..1 decimal
  tester 0..1 string
  issued 0..1 dateTime
  participant 0..* TestReport.participant
  setup 0..1 TestReport.setup
  test 0..* TestReport.test
  teardown 0..1 TestReport.teardown

part TestReport.participant : BackboneElement
  type 1..1 code {report-participant-type}
  uri 1..1 uri
  display 0..1 string

part TestReport.setup : BackboneElement
  action 1..* TestReport.setup.action

part TestReport.setup.action : BackboneElement
  operation 0..1 TestReport.setup.action.operation
  assert 0..1 TestReport.setup.action.assert

part TestReport.setup.action.operation : BackboneElement
  result 1..1 code {report-action-result-codes}
  message 0..1 markdown
  detail 0..1 uri

part TestReport.setup.action.assert : BackboneElement
  result 1..1 code {report-action-result-codes}
  message 0..1 markdown
  detail 0..1 string

part TestReport.test : BackboneElement
  name 0..1 string
  description 0..1 string
  action 1..* TestReport.test.action

part TestReport.test.action : BackboneElement
  operation 0..1 TestReport.setup.action.operation
  assert 0..1 TestReport.setup.action.assert

part TestReport.teardown : BackboneElement
  action 1..* TestReport.teardown.action

part TestReport.teardown.action : BackboneElement
  operation 1..1 TestReport.setup.action.operation

resource TestScript : DomainResource
  url 1..1 uri
  identifier 0..1 Identifier
  version 0..1 string
  name 1..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  origin 0..* TestScript.origin
  destination 0..* TestScript.destination
  metadata 0..1 TestScript.metadata
  fixture 0..* TestScript.fixture
  profile 0..* Reference
  variable 0..* TestScript.variable
  rule 0..* TestScript.rule
  ruleset 0..* TestScript.ruleset
  setup 0..1 TestScript.setup
  test 0..* TestScript.test
  teardown 0..1 TestScript.teardown

part TestScript.origin : BackboneElement
  index 1..1 integer
  profile 1..1 Coding

part TestScript.destination : BackboneElement
  index 1..1 integer
  profile 1..1 Coding

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
  origin 0..* integer
  destination 0..1 integer
  link 0..* uri
  capabilities 1..1 Reference(CapabilityStatement)

part TestScript.fixture : BackboneElement
  autocreate 0..1 boolean
  autodelete 0..1 boolean
  resource 0..1 Reference

part TestScript.variable : BackboneElement
  name 1..1 string
  defaultValue 0..1 string
  description 0..1 string
  expression 0..1 string
  headerField 0..1 string
  hint 0..1 string
  path 0..1 string
  sourceId 0..1 id

part TestScript.rule : BackboneElement
  resource 1..1 Reference
  param 0..* TestScript.rule.param

part TestScript.rule.param : BackboneElement
  name 1..1 string
  value 0..1 string

part TestScript.ruleset : BackboneElement
  resource 1..1 Reference
  rule 1..* TestScript.ruleset.rule

part TestScript.ruleset.rule : BackboneElement
  ruleId 1..1 id
  param 0..* TestScript.ruleset.rule.param

part TestScript.ruleset.rule.param : BackboneElement
  name 1..1 string
  value 0..1 string

part TestScript.setup : BackboneElement
  action 1..* TestScript.setup.action

part TestScript.setup.action : BackboneElement
  operation 0..1 TestScript.setup.action.operation
  assert 0..1 TestScript.setup.action.assert

part TestScript.setup.action.operation : BackboneElement
  type 0..1 Coding
  resource 0..1 code {defined-types}
  label 0..1 string
  description 0..1 string
  accept 0..1 code {content-type}
  contentType 0..1 code {content-type}
  destination 0..1 integer
  encodeRequestUrl 0..1 boolean
  origin 0..1 integer
  params 0..1 string
  requestHeader 0..* TestScript.setup.action.operation.requestHeader
  requestId 0..1 id
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
  compareToSourceExpression 0..1 string
  compareToSourcePath 0..1 string
  contentType 0..1 code {content-type}
  expression 0..1 string
  headerField 0..1 string
  minimumId 0..1 string
  navigationLinks 0..1 boolean
  operator 0..1 code {assert-operator-codes}
  path 0..1 string
  requestMethod 0..1 code {http-operations}
  requestURL 0..1 string
  resource 0..1 code {defined-types}
  response 0..1 code {assert-response-code-types}
  responseCode 0..1 string
  rule 0..1 TestScript.setup.action.assert.rule
  ruleset 0..1 TestScript.setup.action.assert.ruleset
  sourceId 0..1 id
  validateProfileId 0..1 id
  value 0..1 string
  warningOnly 0..1 boolean

part TestScript.setup.action.assert.rule : BackboneElement
  ruleId 1..1 id
  param 0..* TestScript.setup.action.assert.rule.param

part TestScript.setup.action.assert.rule.param : BackboneElement
  name 1..1 string
  value 1..1 string

part TestScript.setup.action.assert.ruleset : BackboneElement
  rulesetId 1..1 id
  rule 0..* TestScript.setup.action.assert.ruleset.rule

part TestScript.setup.action.assert.ruleset.rule : BackboneElement
  ruleId 1..1 id
  param 0..* TestScript.setup.action.assert.ruleset.rule.param

part TestScript.setup.action.assert.ruleset.rule.param : BackboneElement
  name 1..1 string
  value 1..1 string

part TestScript.test : BackboneElement
  name 0..1 string
  description 0..1 string
  action 1..* TestScript.test.action

part TestScript.test.action : BackboneElement
  operation 0..1 TestScript.setup.action.operation
  assert 0..1 TestScript.setup.action.assert

part TestScript.teardown : BackboneElement
  action 1..* TestScript.teardown.action

part TestScript.teardown.action : BackboneElement
  operation 1..1 TestScript.setup.action.operation

resource ValueSet : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean ?!
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  immutable 0..1 boolean
  purpose 0..1 markdown
  copyright 0..1 markdown
  extensible 0..1 boolean
  compose 0..1 ValueSet.compose
  expansion 0..1 ValueSet.expansion

part ValueSet.compose : BackboneElement
  lockedDate 0..1 date
  inactive 0..1 boolean
  include 1..* ValueSet.compose.include
  exclude 0..* ValueSet.compose.include

part ValueSet.compose.include : BackboneElement
  system 0..1 uri
  version 0..1 string
  concept 0..* ValueSet.compose.include.concept
  filter 0..* ValueSet.compose.include.filter ?!
  valueSet 0..* uri

part ValueSet.compose.include.concept : BackboneElement
  code 1..1 code
  display 0..1 string
  designation 0..* ValueSet.compose.include.concept.designation

part ValueSet.compose.include.concept.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding
  value 1..1 string

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
  inactive 0..1 boolean
  version 0..1 string
  code 0..1 code
  display 0..1 string
  designation 0..* ValueSet.compose.include.concept.designation
  contains 0..* ValueSet.expansion.contains

resource VisionPrescription : DomainResource
  identifier 0..* Identifier
  status 0..1 code {fm-status} ?!
  patient 0..1 Reference(Patient)
  encounter 0..1 Reference(Encounter)
  dateWritten 0..1 dateTime
  prescriber 0..1 Reference(Practitioner)
  reason[x] 0..1 CodeableConcept,Reference(Condition)
  dispense 0..* VisionPrescription.dispense

part VisionPrescription.dispense : BackboneElement
  product 0..1 CodeableConcept
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
  note 0..* Annotation
`;
