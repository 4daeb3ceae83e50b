-- Feature profiles that a charger of OCPP 1.6 supports, from SupportedFeatureProfiles when its configuration was last read. Null: it was
-- not read, or the charger has no such key.
alter table chargers add feature_profiles text[];
