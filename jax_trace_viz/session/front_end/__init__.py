"""What front ends draw: complete pictures, and updates of them that stay small."""
